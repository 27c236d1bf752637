import AssetExport
import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Mistakes, cancelling and full disks: there is no file.
struct WriterFailureTests {
    /// What a test does with a writer of pictures of 64 by 48.
    private func failing(
        _ settings: [String: Any]? = nil, _ body: (AVAssetWriter, AVAssetWriterInput) async throws -> Void
    ) async throws -> (any Error)? {
        let folder = try TemporaryFolder()
        let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path("film.mp4")), fileType: .mp4)
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: settings
                ?? [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
        writer.add(input)
        try await body(writer, input)
        if writer.status == .writing { await writer.finishWriting() }
        #expect(writer.status == .failed || writer.status == .cancelled)
        #expect(try folder.contents().isEmpty)
        return writer.error
    }

    private func picture(_ format: OSType = kCVPixelFormatType_32BGRA) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, 64, 48, format, nil, &made)
        return try #require(made)
    }

    private func append(_ input: AVAssetWriterInput, at times: [Int64]) throws -> [Bool] {
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        return try times.map { try adaptor.append(picture(), withPresentationTime: seconds($0)) }
    }

    @Test func `Times that go back are an error of the writer`() async throws {
        let error = try await failing { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            #expect(try append(input, at: [0, 40, 20]) == [true, true, false])
        }
        #expect((error as? AVError)?.code == .incorrectlyConfigured)
        #expect(error?.localizedDescription.contains("go back") == true)
    }

    @Test func `Samples before the session and after the end of an input are refused`() async throws {
        let early = try await failing { writer, input in
            try writer.start()
            #expect(try append(input, at: [0]) == [false])
        }
        #expect((early as? AVError)?.code == .operationNotAllowed)
        let late = try await failing { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            #expect(try append(input, at: [0, 40]) == [true, true])
            input.markAsFinished()
            #expect(try append(input, at: [80]) == [false])
        }
        #expect((late as? AVError)?.code == .operationNotAllowed)
    }

    @Test func `A writer without samples fails`() async throws {
        let error = try await failing { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            input.markAsFinished()
        }
        #expect(error != nil)
    }

    @Test func `Buffers that cannot be written are named in the writer's error`() async throws {
        let error = try await failing { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
            #expect(
                try !adaptor.append(picture(kCVPixelFormatType_OneComponent32Float), withPresentationTime: .zero))
        }
        #expect(error?.localizedDescription.contains("L00f") == true)
    }

    @Test(
        arguments: [
            [AVVideoCodecKey: "avc1"], [AVVideoCodecKey: "xxxx", AVVideoWidthKey: 64, AVVideoHeightKey: 48],
            [AVVideoCodecKey: "avc1", AVVideoWidthKey: "64", AVVideoHeightKey: 48],
            [AVVideoCodecKey: "avc1", AVVideoWidthKey: 64, AVVideoHeightKey: -2],
            [AVVideoCodecKey: "avc1", AVVideoWidthKey: 64, AVVideoHeightKey: 48, AVVideoScalingModeKey: "Squeeze"],
            [
                AVVideoCodecKey: "avc1", AVVideoWidthKey: 64, AVVideoHeightKey: 48,
                AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: "much"],
            ],
        ] as [[String: any Sendable]])
    func `Impossible settings of an input are an error of the writer`(_ settings: [String: any Sendable]) async throws {
        let error = try await failing(settings) { writer, input in
            #expect(!writer.canApply(outputSettings: settings, forMediaType: .video))
            #expect(!writer.startWriting())
        }
        #expect([.incorrectlyConfigured, .encoderNotFound].contains((error as? AVError)?.code))
    }

    @Test func `Odd sizes are an error of the writer where chroma is subsampled`() async throws {
        let settings: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 63, AVVideoHeightKey: 48,
        ]
        let error = try await failing(settings) { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            _ = try append(input, at: [0, 40])
        }
        #expect(error?.localizedDescription.contains("63x48") == true)
    }

    @Test func `Cancelling a writer leaves nothing`() async throws {
        let error = try await failing { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            #expect(try append(input, at: [0, 40, 80]) == [true, true, true])
            writer.cancelWriting()
            #expect(try append(input, at: [120]) == [false])
        }
        #expect((error as? AVError)?.code == .operationCancelled)
    }

    // A client counts on being asked until it has said that it brings no more.
    @Test(arguments: [false, true])
    func `Inputs that wait for room are told that nothing more is taken`(isCancelled: Bool) async throws {
        _ = try await failing { writer, input in
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
            let shown = try picture()
            let asked = AsyncStream<Bool>.makeStream()
            input.requestMediaDataWhenReady(on: DispatchQueue(label: "waiting")) {
                guard writer.status != .writing, input.isReadyForMoreMediaData else { return }
                asked.continuation.yield(adaptor.append(shown, withPresentationTime: .zero))
                input.markAsFinished()
                asked.continuation.finish()
            }
            if isCancelled {
                writer.cancelWriting()
            } else {
                #expect(try append(input, at: [40, 20]) == [true, false])
            }
            #expect(await asked.stream.reduce(into: []) { $0.append($1) } == [false])
        }
    }

    @Test func `An existing file is not overwritten by a writer`() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("there.mp4"))
        try Data("mine".utf8).write(to: url)
        let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
        writer.add(AVAssetWriterInput(mediaType: .audio, outputSettings: nil))
        #expect(!writer.startWriting())
        #expect((writer.error as? AVError)?.code == .fileAlreadyExists)
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }

    @Test func `A second session changes nothing but the warnings`() async throws {
        let folder = try TemporaryFolder()
        let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path("film.data")), fileType: .mp4)
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 64])
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(
            assetWriterInput: input,
            sourcePixelBufferAttributes: [
                kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
                kCVPixelBufferWidthKey as String: 64, kCVPixelBufferHeightKey as String: 64,
            ])
        writer.add(input)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        let pool = try #require(adaptor.pixelBufferPool)
        for number in 0..<10 {
            var buffer: CVPixelBuffer?
            #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
            // Clients that skip frames while an input is not ready lose none of a few.
            #expect(input.isReadyForMoreMediaData)
            let picture = try #require(buffer)
            #expect(adaptor.append(picture, withPresentationTime: CMTime(value: CMTimeValue(number), timescale: 25)))
            if number == 5 { writer.startSession(atSourceTime: CMTime(value: 3, timescale: 1)) }
        }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        #expect(writer.warnings == ["a session at 3 s was not started: a file has one session"])
        let asset = AVURLAsset(url: writer.outputURL)
        #expect(try await asset.load(.duration) == CMTime(value: 10, timescale: 25))
    }

    @Test func `A writer that is released early leaves nothing`() async throws {
        let folder = try TemporaryFolder()
        do {
            let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: folder.path("film.mp4")), fileType: .mp4)
            let input = AVAssetWriterInput(
                mediaType: .video,
                outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
            writer.add(input)
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            #expect(try append(input, at: [0, 40, 80]) == [true, true, true])
        }
        #expect(try folder.contents().isEmpty)
    }
}
