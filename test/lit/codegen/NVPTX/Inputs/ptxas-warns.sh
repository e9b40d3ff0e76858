#!/bin/sh
# In the place of ptxas: what it says of a serialised wgmma.
cat <<'TEXT'
ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized
ptxas info    : Compiling entry function 'opgraph_one' for 'sm_90a'
ptxas info    : Used 40 registers
TEXT
