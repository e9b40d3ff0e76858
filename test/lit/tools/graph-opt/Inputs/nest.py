# Prints a module whose attribute nests as deep as the argument says.
import sys

depth = int(sys.argv[1])
print("// " + "(" * 400)
print('module attributes {test.s = "' + "[" * 400 + '", test.a =')
print("[" * depth + "1" + "]" * depth + "} {}")
