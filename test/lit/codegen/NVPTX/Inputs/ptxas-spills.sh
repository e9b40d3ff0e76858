#!/bin/sh
# In the place of ptxas: spills of any kernel that asks for 4 blocks an SM, a
# stack of the others.
for last; do case $last in *.ptx) input=$last ;; esac; done
if grep -q 'minnctapersm 4' "$input"; then
  spills='16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads'
else
  spills='24 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'
fi
cat <<TEXT
ptxas info    : Compiling entry function 'opgraph_one' for 'sm_90a'
ptxas info    : Function properties for opgraph_one
    $spills
ptxas info    : Used 64 registers
TEXT
