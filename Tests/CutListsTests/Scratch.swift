import CutLists
import Testing

@Suite(.serialized) struct Scratch {
    @Test(
        arguments: [
            ",", "\n", "\"", "\"\"", ":", "1:", "9", "{", "{a:", "/*", " ", " a", "%1%a,", "mpv EDL v0;a;", "\u{301}",
            "TITLE:\n", "5 6 0\n", "REM\n", "\\", "1,2\n", "#", "*\n", "e\u{301}",
        ],
        [
            "", "TITLE: x\n", "# mpv EDL v0\n", "5 6 0\n", "1,2,\n", "{a:'", "{a:",
            "FILE PROCESSING COMPLETE 5 FRAMES AT 2500\n", "REM\n", "1,", "1,2,\"",
        ])
    func f(_ u: String, _ head: String) {
        let text = head + String(repeating: u, count: (15 << 20) / u.utf8.count)
        let clock = ContinuousClock()
        let d = clock.measure {
            let m = flaw(text, "x.edl")
            if m.utf8.count > 400 && !m.hasPrefix("read") { print("LONG", m.utf8.count) }
        }
        if d > .milliseconds(1500) { print("SLOW", d, u.debugDescription, head.debugDescription) }
    }
}
