import AVToolCommands
import MediaTestSupport
import Testing

@testable import avtool

@Suite struct `Order of work on several files` {
    /// Which files wait for which, where each has a copy of its own.
    private func order(_ arguments: String...) throws -> [[Int]] {
        let plan = CommandRequest(arguments).plan()
        return ResultOrder(of: plan.files.indices.map { $0..<($0 + 1) }, plan.grants).before
    }

    @Test(arguments: [
        ["-o", "nothing/"], ["-o", "/tmp"], ["-o", "x-{name}-{index}.png"], ["-o", "{name}.png"],
        ["-o", "nothing/{index}-{name}.png"], ["-o", "{name}{index}-{width}.png"], [],
    ])
    func `Media files whose results have names of their own do not wait`(_ output: [String]) throws {
        let plan = CommandRequest(["thumbs", "--at=1"] + output + ["b/one.mp4", "a/two.mkv", "three.mov"]).plan()
        #expect(ResultOrder(of: [0..<1, 1..<2, 2..<3], plan.grants).before == [[], [], []])
    }

    @Test func `Results that may share a name are made in the order of the media files`() throws {
        #expect(try order("thumbs", "--at=1", "a/x.mp4", "y.mp4", "b/x.mkv", "c/x.mp4") == [[], [], [0], [2]])
        #expect(try order("thumbs", "--at=1", "-o", "{name}{index}.png", "x1.mp4", "y.mp4", "x.mp4") == [[], [], [0]])
        #expect(try order("thumbs", "--at=1", "-o", "{index}{name}.png", "1x.mp4", "y.mp4", "x.mp4") == [[], [], [0]])
        #expect(try order("thumbs", "--at=1", "-o", "{index}.png", "x.mp4", "y.mp4", "z.mp4") == [[], [0], [1]])
    }

    @Test func `Changes of one file come one after the other`() throws {
        let (film, other) = (Fixture("movie.mp4").path, Fixture("movie.mov").path)
        #expect(try order("metadata", "set", "title=x", film, other, film) == [[], [], [0]])
        #expect(try order("info", film, other, film) == [[], [], []])
    }
}
