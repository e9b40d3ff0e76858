"""compare-exports.py SYMBOLS LIST: fails unless both hold the same names."""
import sys

actual = {line.split("@")[0].strip() for line in open(sys.argv[1])}
listed = [line.strip() for line in open(sys.argv[2])
          if line.strip() and not line.startswith("#")]
# Version nodes are symbols too.
actual = {name for name in actual if name and not name.startswith("OPGRAPH_")}
for name in sorted(actual - set(listed)):
    print(f"exported, not listed: {name}")
for name in sorted(set(listed) - actual):
    print(f"listed, not exported: {name}")
if actual != set(listed):
    sys.exit(1)
