# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tile kernels of one math function each, for exhaustive.cu.

Names are FUNCTION_TYPE, with _afn behind where the op allows the hardware's
approximations. `copy` measures what is around a function.
"""

UNARY = ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tanh", "erf",
         "erfc", "sin", "cos", "tan", "rsqrt", "sqrt")
BINARY = (("pow", "math.powf"), ("mod", "arith.remf"), ("div", "arith.divf"))
APPROXIMATE = ("exp", "exp2", "log", "log2", "log1p", "tanh", "erf", "erfc",
               "sin", "cos", "rsqrt")
#: f64 is libdevice's.
TYPES = ("f32", "f16", "bf16", "f64")

# A block has 4 warps, a thread 4 neighbours of a row of 512.
KERNEL = """
#d = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 4]>
{kernels}
"""
ONE = """
tile.kernel @opgraph_{name}({params}, %out: !tile.ptr<{type}, align 16>,
    %m: i32) warps(4) targets [sm_80, sm_90a] {{
  %c0 = arith.constant 0 : i32
  %row = tile.block_id x
{loads}  %result = tile.map ({arguments}) : ({tiles}) -> {tile} {{
{body}    tile.yield %r : {type}
  }}
  %y = tile.view %out sizes [%m] : !tile.ptr<{type}, align 16> -> {view}
  tile.store %result, %y[%row, %c0] : {tile}, {view}
}}
"""


def kernel(name, element, line, inputs=1):
    tile = f"!tile.reg<1x512x{element}, #d>"
    view = f"!tile.view<?x512x{element}, strides [512, 1], align 16>"
    loads = "".join(
        f"  %v{i} = tile.view %in{i} sizes [%m] : "
        f"!tile.ptr<{element}, align 16> -> {view}\n"
        f"  %t{i} = tile.load %v{i}[%row, %c0] : {view} -> {tile}\n"
        for i in range(inputs))
    return ONE.format(
        name=name, type=element, tile=tile, view=view, loads=loads,
        params=", ".join(f"%in{i}: !tile.ptr<{element}, align 16>"
                         for i in range(inputs)),
        arguments=", ".join(f"%{'ab'[i]} = %t{i}" for i in range(inputs)),
        tiles=", ".join([tile] * inputs), body=f"    {line}\n")


def kernels():
    for element in TYPES:
        yield kernel(f"copy_{element}", element,
                     f"%r = arith.negf %a : {element}")
        for name in UNARY:
            yield kernel(f"{name}_{element}", element,
                         f"%r = math.{name} %a : {element}")
        for name in () if element == "f64" else APPROXIMATE:
            yield kernel(f"{name}_{element}_afn", element,
                         f"%r = math.{name} %a fastmath<afn> : {element}")
        for name, op in BINARY:
            yield kernel(f"{name}_{element}", element,
                         f"%r = {op} %a, %b : {element}", 2)
            if name != "mod" and element != "f64":
                yield kernel(f"{name}_{element}_afn", element,
                             f"%r = {op} %a, %b fastmath<afn> : {element}", 2)


if __name__ == "__main__":
    print(KERNEL.format(kernels="".join(kernels())))
