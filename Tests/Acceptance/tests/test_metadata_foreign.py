"""Has other programs tag copies of files, and checks that avtool reads all of it.

mutagen (MP4, ID3v2.3 and ID3v2.4, Vorbis comments), AtomicParsley, exiftool (Keys, UserData,
ItemList), mkvpropedit (tags, names, chapters, attachment), ffmpeg (with and without keys of
QuickTime, chapters). Programs that are not installed, or cannot write a file, are skipped.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import mutagen
import mutagen.id3
import mutagen.mp4
import pytest

from acceptance import films
from acceptance.metadata_changes import picture, picture_text, values_in
from acceptance.running import Findings, metadata, parsed, run, text


def expect(report: Findings, kind: str, file: Path, wanted: list[tuple[str, str]]) -> None:
    """`wanted`: parts of identifiers, and values that an item of such an identifier must have."""
    shown = metadata(file)
    items = [
        (i["identifier"], i.get("display") if isinstance(i.get("value"), dict) else str(i.get("value")), i)
        for i in shown.get("metadata", []) + [i for t in shown.get("tracks", []) for i in t["metadata"]]
    ]
    for identifier, value in wanted:
        good = any(
            identifier in one and value in (shown_value, (item.get("extra") or {}).get("info"))
            for one, shown_value, item in items
        )
        report.check(
            f"foreign {kind}",
            file,
            good,
            f"{identifier} is not {value!r}: {[v for k, v, _ in items if identifier in k]}",
        )


def foreign_mutagen(report: Findings, file: Path) -> None:
    suffix, data = file.suffix, picture(20_000)
    if suffix == ".mp3":
        tag = mutagen.id3.ID3()
        for encoding, name in ((0, "TIT2"), (1, "TALB"), (2, "TPE2"), (3, "TPE1")):
            tag.add(getattr(mutagen.id3, name)(encoding=encoding, text=["Größe", "Two"] if encoding else ["Größe"]))
        tag.add(mutagen.id3.TXXX(encoding=3, desc="My key", text=["a", "b"]))
        tag.add(mutagen.id3.COMM(encoding=1, lang="deu", desc="d", text=["Kommentar"]))
        tag.add(mutagen.id3.APIC(encoding=3, mime="image/png", type=3, desc="c", data=data))
        tag.add(mutagen.id3.USLT(encoding=3, lang="eng", desc="", text="Line\nline"))
        tag.add(mutagen.id3.TRCK(encoding=0, text="3/12"))
        for version in (3, 4):
            tag.save(file, v2_version=version, v23_sep=None)
            expect(
                report,
                f"mutagen ID3v2.{version}",
                file,
                [
                    ("TIT2", "Größe"),
                    ("TALB", "Two"),
                    ("TPE2", "Two"),
                    ("TPE1", "Größe"),
                    ("TXXX", "b"),
                    ("TXXX", "My key"),
                    ("COMM", "Kommentar"),
                    ("APIC", picture_text(data)),
                    ("USLT", "Line\nline"),
                    ("TRCK", "3/12"),
                ],
            )
    elif suffix in (".m4a", ".mp4"):
        tags = mutagen.mp4.MP4(file)
        tags["©nam"], tags["©ART"], tags["trkn"], tags["tmpo"] = ["Größe"], ["A", "B"], [(3, 12)], [120]
        tags["covr"] = [mutagen.mp4.MP4Cover(data, mutagen.mp4.MP4Cover.FORMAT_PNG)]
        tags["----:org.example:Key"] = [mutagen.mp4.MP4FreeForm(b"one"), mutagen.mp4.MP4FreeForm(b"two")]
        tags.save()
        expect(
            report,
            "mutagen MP4",
            file,
            [
                ("itsk/%A9nam", "Größe"),
                ("itsk/%A9ART", "B"),
                ("itsk/trkn", "3/12"),
                ("itsk/tmpo", "120"),
                ("itsk/covr", picture_text(data)),
                ("itlk/org.example.Key", "two"),
            ],
        )
    else:
        found = mutagen.File(file)
        if not hasattr(found.tags, "append"):
            return
        found["title"], found["artist"], found["Mixed Case"] = ["Größe"], ["A", "B"], ["x=y"]
        found.save()
        expect(
            report,
            "mutagen Vorbis",
            file,
            [("vorb/title", "Größe"), ("vorb/artist", "B"), ("Mixed%20Case", "x=y")],
        )


def foreign_mp4(report: Findings, file: Path) -> None:
    image = file.parent / "a.png"
    image.write_bytes(data := picture(20_000))
    if shutil.which("AtomicParsley"):
        done = run(
            [
                "AtomicParsley",
                file,
                "--title",
                "Größe",
                "--tracknum",
                "3/12",
                "--genre",
                "Rock",
                "--year",
                "1999",
                "--artwork",
                image,
                "--rDNSatom",
                "text",
                "name=Key",
                "domain=org.example",
                "--description",
                "d",
                "--overWrite",
            ]
        )
        # It refuses QuickTime movies, and skips fragmented files.
        if done.returncode == 0 and "Größe" in text(run(["AtomicParsley", file, "-t"]).stdout):
            expect(
                report,
                "AtomicParsley",
                file,
                [
                    ("itsk/%A9nam", "Größe"),
                    ("itsk/trkn", "3/12"),
                    ("itsk/%A9day", "1999"),
                    ("itsk/covr", picture_text(data)),
                    ("itlk/org.example.Key", "text"),
                    ("itsk/desc", "d"),
                ],
            )
    image.unlink()
    if shutil.which("exiftool"):
        given = {
            "Keys:Title": "Keys title",
            "UserData:Title": "User title",
            "UserData:Comment": "Kommentar ü",
            "Keys:Make": "Maker",
        }
        if file.suffix != ".mov":
            given["ItemList:Title"] = "List title"
        run(["exiftool", "-q", "-overwrite_original", *(f"-{name}={value}" for name, value in given.items()), file])
        back = parsed(["exiftool", "-j", "-a", "-G1", file])
        spaces = {"Keys": "mdta/", "UserData": "udta/", "ItemList": "itsk/"}
        expect(report, "exiftool", file, [(spaces[n.split(":")[0]], v) for n, v in given.items() if back.get(n) == v])


def foreign_matroska(report: Findings, file: Path) -> None:
    tags, chapters, image = (file.parent / name for name in ("tags.xml", "chapters.xml", "cover.png"))
    simple = "<Simple><Name>{}</Name><TagLanguageIETF>de</TagLanguageIETF><String>{}</String>{}</Simple>"
    tags.write_text(
        '<?xml version="1.0"?><Tags><Tag><Targets><TargetTypeValue>30</TargetTypeValue></Targets>'
        + simple.format("ARTIST", "Größe", simple.format("SORT_WITH", "Gr", ""))
        + "</Tag></Tags>"
    )
    chapters.write_text(
        '<?xml version="1.0"?><Chapters><EditionEntry><ChapterAtom><ChapterTimeStart>00:00:00.100</ChapterTimeStart>'
        "<ChapterDisplay>"
        "<ChapterString>Erstes</ChapterString><ChapterLanguage>ger</ChapterLanguage></ChapterDisplay></ChapterAtom>"
        "</EditionEntry></Chapters>"
    )
    image.write_bytes(picture(20_000))
    done = run(
        [
            "mkvpropedit",
            file,
            "--tags",
            f"global:{tags}",
            "--chapters",
            chapters,
            "--edit",
            "info",
            "--set",
            "title=Titel",
            "--edit",
            "track:1",
            "--set",
            "name=Spur",
            "--attachment-mime-type",
            "image/png",
            "--add-attachment",
            image,
        ]
    )
    if done.returncode == 2:
        return
    cover = picture_text(image.read_bytes())
    for helper in (tags, chapters, image):
        helper.unlink()
    expect(
        report,
        "mkvpropedit",
        file,
        [
            ("mkv/ARTIST", "Größe"),
            *([("SORT_WITH", "Gr")] if file.suffix == ".mkv" else []),
            ("mkv/TITLE", "Titel"),
            ("mkv/TITLE", "Spur"),
            ("mkv/COVER", cover),
        ],
    )
    shown = metadata(file)
    titles = [c.get("title") for one in shown["chapterLists"] for c in one["chapters"]]
    report.check("foreign mkvpropedit", file, titles == ["Erstes"], f"chapters {titles}")


def foreign_ffmpeg(report: Findings, file: Path) -> None:
    document = file.parent / "metadata.txt"
    document.write_text(
        ";FFMETADATA1\ntitle=Größe\nartist=An Artist\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=Erstes\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=400\nEND=900\ntitle=Zweites\n"
    )
    for flags in ([], ["-movflags", "use_metadata_tags"]) if file.suffix in (".mp4", ".mov", ".m4a") else ([],):
        made = file.with_stem("made")
        done = run(
            [
                "ffmpeg",
                "-v",
                "error",
                "-y",
                "-i",
                f"file:{file}",
                "-i",
                document,
                "-map_metadata",
                "1",
                "-map_chapters",
                "1",
                "-map",
                "0:v:0?",
                "-map",
                "0:a:0?",
                "-c",
                "copy",
                *flags,
                made,
            ]
        )
        if done.returncode == 0:
            back = parsed(
                ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_chapters", "-show_streams", made]
            )
            tags = values_in(back)
            expect(
                report,
                "ffmpeg" + " with keys" * bool(flags),
                made,
                [("", v) for v in ("Größe", "An Artist") if v in tags],
            )
            titles = [c.get("title") for one in metadata(made).get("chapterLists", []) for c in one["chapters"]]
            wanted = [c.get("tags", {}).get("title") for c in back.get("chapters", [])]
            report.check("foreign ffmpeg chapters", file, titles[: len(wanted)] == wanted, f"{titles}, not {wanted}")
        made.unlink(missing_ok=True)
    document.unlink()


def check_foreign(report: Findings, original: Path, folder: Path) -> None:
    writers = [foreign_ffmpeg]
    if original.suffix in (".mp3", ".m4a", ".mp4", ".flac", ".ogg", ".opus", ".ogv"):
        writers.append(foreign_mutagen)
    writers += [foreign_mp4] if original.suffix in (".mp4", ".m4a", ".mov") else []
    writers += [foreign_matroska] if original.suffix in (".mkv", ".webm") and shutil.which("mkvpropedit") else []
    for writer in writers:
        file = Path(shutil.copy(original, folder / f"foreign-{original.name}"))
        if "metadata" not in metadata(file):
            pytest.skip("its metadata are not shown")
        try:
            writer(report, file)
        except (OSError, mutagen.MutagenError, ValueError, KeyError, TypeError) as error:
            report.skip(f"{writer.__name__} cannot write it: {error!r}")
        for path in folder.iterdir():
            path.unlink()


# What a writer makes of a file that is odd to begin with: no reader finds it there. By file, the beginning of problems.
KNOWN = {
    # An item before is longer than its box says; AtomicParsley keeps its length, and exiftool and ffprobe too find
    # what comes behind it inside it.
    "invalid_userdata.mp4": "foreign AtomicParsley: ",
    # The list is one of numbered keys (mdta), in which mutagen writes items named as iTunes does: as keys, they have
    # numbers that no key has, of which avtool warns.
    "sample_qt.mp4": "foreign mutagen MP4: ",
}
QUICK = "movie.mp4 movie.mov audio-only.mp3 audio-only.flac attached-picture.m4a cues.mkv vp9.webm theora.ogv"
UNTAGGED = r"\.(ts|flv|gif|png|jpg|webp|avif|heic|h264|m2v|ps|mpg)$"


@pytest.mark.peer("exiftool", "mkvpropedit")
@pytest.mark.parametrize("file", [*films.fixtures(UNTAGGED, QUICK), *films.corpus()])
def test_what_others_write(file: Path, tmp_path: Path) -> None:
    if re.search(UNTAGGED, file.name):
        pytest.skip("nobody tags such files")
    report, folder = Findings(), tmp_path / "files"
    folder.mkdir()
    check_foreign(report, file, folder)
    known = KNOWN.get(file.name)
    assert not [problem for problem in report.problems if not (known and problem.startswith(known))]
    assert report.problems or not known, "a known problem is gone"
