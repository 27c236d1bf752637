import Testing

@testable import avtool

@Suite struct `Progress on a terminal` {
    /// The last column stays free.
    @Test(
        arguments: [
            (40, "demo.mkv 50%, 3 s"), (18, "demo.mkv 50%, 3 s"), (17, "demo.mkv 50%"), (13, "demo.mkv 50%"),
            (4, "50%"),
            (3, ""),
        ])
    func `A line of progress fits into the columns, with as much as there is room for`(_ columns: Int, _ text: String) {
        #expect(ProgressLine(label: "demo.mkv", fraction: 0.5, details: ", 3 s").text(columns: columns) == text)
    }
}
