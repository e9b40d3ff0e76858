"""exit-code.py CODE COMMAND...: runs COMMAND, prints what it printed, and fails
unless it exited with CODE. `--full-disk` as last argument sends its output to
/dev/full."""
import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
stdout = subprocess.PIPE
if command[-1] == "--full-disk":
    command.pop()
    stdout = open("/dev/full", "wb")
done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE)
print((done.stdout or b"").decode() + done.stderr.decode())
if done.returncode != expected:
    sys.exit(f"expected exit code {expected}, got {done.returncode}")
