"""Prints the tags of files, by mutagen.

mutagen_tags.py FILE…
"""

import sys

import mutagen

for path in sys.argv[1:]:
    file = mutagen.File(path)
    print({key: str(value) for key, value in (file.tags or {}).items()})
