"""Runs a command on a terminal of its own and prints, as JSON, what the terminal got and how the command ended.

terminal.py COLUMNS TERM OUTPUT SIGNAL COMMAND...

OUTPUT is `terminal` or `pipe`, where standard output goes. SIGNAL is a signal's number, sent when the terminal has got
a percentage, or 0.
"""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios

columns, term, output, number = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
master, terminal = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
environment = {name: value for name, value in os.environ.items() if name not in ("TERM", "COLUMNS")}
if term != "none":
    environment["TERM"] = term
process = subprocess.Popen(
    sys.argv[5:],
    stdin=terminal,
    stdout=terminal if output == "terminal" else subprocess.DEVNULL,
    stderr=terminal,
    env=environment,
    start_new_session=True,
)
os.close(terminal)
got = b""
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        break
    if not part:
        break
    got += part
    if number and b"%" in got:
        os.kill(process.pid, number)
        number = 0
print(json.dumps({"text": got.decode("utf-8", "replace"), "code": process.wait()}))
