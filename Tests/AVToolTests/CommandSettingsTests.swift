import AVToolCommands
import ArgumentParser
import Testing

@Suite struct `Settings of a command` {
    private func texts(_ words: [String]) throws -> [String] {
        CommandSettings(of: try ThumbsCommand.parse(words + ["a.mp4"])).texts
    }

    @Test func `Settings of a command name no module, so that results stay theirs when types move`() throws {
        let words = "--every 300ms --tolerance 1s --fit pad --size 64x64 --background #204060".split(separator: " ")
        let found = try texts(words.map(String.init))
        #expect(found.contains { $0.hasSuffix("every=300ms") } && found.contains { $0.hasSuffix("fit=pad") })
        for text in found { #expect(!text.contains("Media") && !text.contains("AVToolCommands"), "\(text)") }
    }

    @Test func `Settings of a command differ where its results do`() throws {
        let every = ["--every", "1s"]
        let all = [
            every, ["--every", "2s"], every + ["--size", "64x64"], every + ["--size", "64x65"],
            every + ["--background", "#204060"], every + ["--background", "#204061"],
            every + ["--fit", "pad", "--size", "64x64"],
        ]
        #expect(Set(try all.map(texts)).count == all.count)
        #expect(try texts(every + ["--size", "64x64"]) == texts(["--size", "64x64"] + every))
        #expect(try texts(every + ["--force"]) == texts(every))
    }
}
