# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One file of cases for each group of operations."""
