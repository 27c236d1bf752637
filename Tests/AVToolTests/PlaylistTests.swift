import Foundation
import MediaTestSupport
import OpenAVFoundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A film of numbered pictures as segments and the playlists of them, made by the ffmpeg command.
private struct Segments {
    let folder: WorkFolder

    init(_ options: String, playlist: String = "film.m3u8") async throws {
        folder = try WorkFolder()
        let run = try await Tool.shell(
            "cd '\(folder.url.path)' && ffmpeg -v error -i '\(Fixture("long-gop.mp4").path)' -t 4 -an -c:v libx264"
                + " -preset ultrafast -qp 20 -g 25 \(options) \(playlist)", in: folder)
        try #require(run.exitCode == 0, "\(run.diagnostics)")
    }
}

@Suite(.serialized) struct `Playlists on the command line` {
    private static let hls = "-f hls -hls_time 1 -hls_playlist_type vod"

    /// The numbers in the pictures at some times; the film has 25 pictures in each second.
    private func numbers(_ file: String, in folder: WorkFolder, _ options: String...) async throws -> [Int?] {
        let run = try await Tool.run(
            try Tool.executable(),
            ["thumbs"] + options + [
                "--at", "0,0.5,0.999,1,1.04,2.5,3.9,3,1.96,#60", "-o", "out-{index}.png", "--force", file,
            ],
            in: folder, limit: 60)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        var numbers: [Int?] = []
        for index in 1...10 {
            let still = AVURLAsset(url: URL(fileURLWithPath: folder.path(String(format: "out-%02d.png", index))))
            numbers.append(try await AVAssetImageGenerator(asset: still).image(at: .zero).image.frameNumber)
        }
        return numbers
    }

    private let wanted = [0, 12, 24, 25, 26, 62, 97, 75, 49, 60]

    // "--allow-format hls" said "not enough memory" of each playlist.
    @Test(
        .enabled(if: Tool.has("ffmpeg")),
        arguments: [
            "", "-hls_segment_type fmp4", "-hls_segment_filename sub/s%d.ts -hls_base_url sub/",
        ])
    func `stills of HLS are the right pictures`(_ kind: String) async throws {
        let segments = try await Segments("\(Self.hls) \(kind)".replacingOccurrences(of: "sub/s", with: "s"))
        if kind.contains("sub/") {
            _ = try await Tool.shell("mkdir sub && mv s?.ts sub/", in: segments.folder)
        }
        let numbers = try await numbers("film.m3u8", in: segments.folder, "--allow-format", "hls")
        #expect(numbers == wanted)
        let refused = try await Tool.run("info", "film.m3u8", in: segments.folder)
        #expect(refused.exitCode == 65 && refused.diagnostics.contains("not allowed"))
    }

    @Test(.enabled(if: Tool.has("ffmpeg") && Tool.has("openssl")))
    func `an encrypted playlist is read with the key beside it`() async throws {
        let segments = try await Segments(
            "\(Self.hls) -hls_key_info_file <(openssl rand 16 > enc.key; printf 'enc.key\\nenc.key\\n')")
        #expect(try await numbers("film.m3u8", in: segments.folder, "--allow-format", "hls") == wanted)
    }

    @Test(arguments: [
        "../outside.ts", "../../../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "link.ts", "pipe.ts",
        "sub/../../outside.ts", "http://127.0.0.1:PORT/x.ts", "https://127.0.0.1:PORT/x.ts", "tcp://127.0.0.1:PORT",
        "concat:film.ts|film.ts", "subfile,,start,0,end,0,,:film.ts", "udp://127.0.0.1:PORT", "data:,x", "missing.ts",
        "crypto:../outside.ts", "pipe:0", "folder.ts",
    ])
    func `a hostile playlist opens nothing`(_ address: String) async throws {
        let outer = try WorkFolder()
        try FileManager.default.createDirectory(atPath: outer.path("in/sub"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: outer.path("in/folder.ts"), withIntermediateDirectories: true)
        try outer.copy("h264.ts", as: "outside.ts")
        try FileManager.default.createSymbolicLink(
            atPath: outer.path("in/link.ts"), withDestinationPath: "../outside.ts")
        try #require(mkfifo(outer.path("in/pipe.ts"), 0o600) == 0)
        let server = try CountingServer()
        let named = address.replacingOccurrences(of: "PORT", with: "\(server.port)")
        try outer.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:4,\n\(named)\n#EXT-X-ENDLIST\n",
            to: "in/film.m3u8")
        let run = try await Tool.run("info", "--allow-format", "hls", "in/film.m3u8", in: outer, limit: 20)
        #expect(run.exitCode == 65)
        #expect(run.diagnosticLines.count == 1)
        #expect(run.diagnostics.contains("names") || run.diagnostics.contains("playlist"), "\(run.diagnostics)")
        let tail = named.split(separator: "/").last.map(String.init) ?? named
        #expect(run.diagnostics.contains(tail), "\(run.diagnostics)")
        #expect(server.connections == 0)
    }

    @Test func `a key outside the folder is not read`() async throws {
        let outer = try WorkFolder()
        try FileManager.default.createDirectory(atPath: outer.path("in"), withIntermediateDirectories: true)
        try outer.copy("h264.ts", as: "in/film.ts")
        try outer.write("0123456789abcdef", to: "secret.key")
        try outer.write(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"../secret.key\"\n#EXTINF:4,\nfilm.ts\n"
                + "#EXT-X-ENDLIST\n", to: "in/film.m3u8")
        let run = try await Tool.run("info", "--allow-format", "hls", "in/film.m3u8", in: outer)
        #expect(run.exitCode == 65 && run.diagnostics.contains("secret.key"), "\(run.diagnostics)")
    }

    // `--force` put results in the place of segments of the playlist that they were made of.
    @Test(
        .enabled(if: Tool.has("ffmpeg")),
        arguments: [
            "thumbs --at 0 --format png -o NAME", "sheet --columns 2 --rows 1 --format png -o NAME", "scenes -o NAME",
            "export --preset passthrough -o NAME", "storyboard --every 2s -o NAME",
        ], ["film0.ts", "init.mp4"])
    func `what a playlist names is an input of the run`(_ command: String, _ segment: String) async throws {
        let kind = segment == "init.mp4" ? "-hls_segment_type fmp4" : ""
        let segments = try await Segments("\(Self.hls) \(kind)")
        let folder = segments.folder
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        try FileManager.default.linkItem(atPath: folder.path(segment), toPath: folder.path("sub/hard.ts"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.ts"), withDestinationPath: "sub/../\(segment)")
        let before = try folder.data(segment)
        for name in [segment, "sub/hard.ts", "link.ts", "sub/../\(segment)"] {
            let words = command.replacingOccurrences(of: "NAME", with: name)
            let run = try await Tool.shell("\"$AVTOOL\" \(words) --allow-format hls --force film.m3u8", in: folder)
            #expect(run.exitCode == 73 && run.diagnosticLines.count == 1, "\(name): \(run.diagnostics)")
            #expect(run.diagnostics.contains(name), "\(name): \(run.diagnostics)")
            if !command.contains("storyboard") {
                #expect(run.diagnostics.contains("is an input of this run"), "\(run.diagnostics)")
            }
        }
        #expect(try folder.data(segment) == before && folder.data("sub/hard.ts") == before)
    }

    // A folder of results with the segments in it was replaced as a whole.
    @Test(.enabled(if: Tool.has("ffmpeg")))
    func `a folder that holds what a playlist names is not replaced`() async throws {
        let segments = try await Segments(Self.hls)
        let run = try await Tool.shell(
            """
            cp '\(Fixture("movie.mp4").path)' movie.mp4; "$AVTOOL" storyboard --every 5s -o set movie.mp4 || exit 9
            mv film0.ts set/storyboard-001.jpg; sed -i s:film0.ts:set/storyboard-001.jpg: film.m3u8
            "$AVTOOL" storyboard --every 2s -o set --force --allow-format hls film.m3u8
            """, in: segments.folder, limit: 60)
        #expect(run.exitCode == 73 && run.diagnostics.contains("storyboard-001.jpg"), "\(run.diagnostics)")
    }

    @Test func `formats that cannot be allowed are told`() async throws {
        for name in ["concat", "dash", "image2", "sdp", "nonsense"] {
            let run = try await Tool.run("info", "--allow-format", name, Fixture("movie.mp4").path)
            #expect(run.exitCode == 64 && run.diagnostics.contains("--allow-format \(name)"))
        }
    }
}

/// A server on this machine that counts who connects and says nothing.
private final class CountingServer: Sendable {
    private let socket: Int32
    let port: UInt16

    init() throws {
        socket = makeSocket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isBound && port > 0)
    }

    deinit { close(socket) }

    /// How many connections wait.
    var connections: Int {
        var count = 0
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return count }
            close(connection)
            count += 1
        }
    }
}

private func makeSocket(_ domain: Int32, _ type: Int32, _ kind: Int32) -> Int32 { socket(domain, type, kind) }
