# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy formulas of the operations in float64 or int64, written from the
reference and apart from the judge."""
