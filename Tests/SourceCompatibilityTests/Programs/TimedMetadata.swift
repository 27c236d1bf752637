// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

enum LivePhotoError: Error {
    case noVideo
    case noDescription(OSStatus)
    case failed((any Error)?)
}

/// Makes the film of a live photo: its samples as they are, an identifier, and the time of the still.
struct LivePhotoWriter {
    let source: AVAsset
    let identifier: String

    private func stillTimeInput() throws -> AVAssetWriterInput {
        let specification: NSDictionary = [
            kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier:
                NSString(string: "mdta/com.apple.quicktime.still-image-time"),
            kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType:
                NSString(string: kCMMetadataBaseDataType_SInt8),
        ]
        var description: CMFormatDescription?
        let status = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
            allocator: kCFAllocatorDefault, metadataType: kCMMetadataFormatType_Boxed,
            metadataSpecifications: [specification] as NSArray, formatDescriptionOut: &description)
        guard status == noErr else { throw LivePhotoError.noDescription(status) }
        return AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: description)
    }

    private var contentIdentifier: AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.keySpace = .quickTimeMetadata
        item.key = "com.apple.quicktime.content.identifier" as NSString
        item.value = identifier as NSString
        item.dataType = kCMMetadataBaseDataType_UTF8 as String
        return item
    }

    private var stillTime: AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.keySpace = .quickTimeMetadata
        item.key = "com.apple.quicktime.still-image-time" as NSString
        item.value = NSNumber(value: 0)
        item.dataType = kCMMetadataBaseDataType_SInt8 as String
        return item
    }

    func write(to url: URL, stillAt time: CMTime) async throws {
        let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        writer.metadata = [contentIdentifier]
        let reader = try AVAssetReader(asset: source)
        var pairs: [(output: AVAssetReaderTrackOutput, input: AVAssetWriterInput)] = []
        for track in try await source.load(.tracks) where [.video, .audio].contains(track.mediaType) {
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let input = AVAssetWriterInput(
                mediaType: track.mediaType, outputSettings: nil,
                sourceFormatHint: try await track.load(.formatDescriptions).first)
            input.expectsMediaDataInRealTime = false
            if track.mediaType == .video { input.transform = try await track.load(.preferredTransform) }
            reader.add(output)
            writer.add(input)
            pairs.append((output, input))
        }
        guard let pictures = pairs.first(where: { $0.input.mediaType == .video })?.input else {
            throw LivePhotoError.noVideo
        }
        let stillInput = try stillTimeInput()
        let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: stillInput)
        stillInput.addTrackAssociation(
            withTrackOf: pictures, type: AVAssetTrack.AssociationType.metadataReferent.rawValue)
        writer.add(stillInput)
        guard writer.startWriting(), reader.startReading() else {
            throw LivePhotoError.failed(writer.error ?? reader.error)
        }
        writer.startSession(atSourceTime: .zero)
        let shown = CMTimeRange(start: time, duration: CMTime(value: 200, timescale: 3000))
        guard adaptor.append(AVTimedMetadataGroup(items: [stillTime], timeRange: shown)) else {
            throw LivePhotoError.failed(writer.error)
        }
        stillInput.markAsFinished()
        await withTaskGroup(of: Void.self) { group in
            for (index, pair) in pairs.enumerated() {
                group.addTask { await Self.copy(pair.output, to: pair.input, label: "track \(index)") }
            }
        }
        await writer.finishWriting()
        guard writer.status == .completed else { throw LivePhotoError.failed(writer.error) }
    }

    private static func copy(_ output: AVAssetReaderTrackOutput, to input: AVAssetWriterInput, label: String) async {
        await withCheckedContinuation { continuation in
            input.requestMediaDataWhenReady(on: DispatchQueue(label: label)) {
                while input.isReadyForMoreMediaData {
                    guard let sample = output.copyNextSampleBuffer(), input.append(sample) else {
                        input.markAsFinished()
                        continuation.resume()
                        return
                    }
                }
            }
        }
    }
}

/// Finds the time of the still in the film of a live photo.
struct LivePhotoReader {
    let film: AVAsset

    func stillTime() async throws -> CMTime? {
        for track in try await film.loadTracks(withMediaType: .metadata) {
            let descriptions = try await track.load(.formatDescriptions)
            let names = descriptions.compactMap { CMMetadataFormatDescriptionGetIdentifiers($0) as? [String] }.joined()
            guard names.contains("mdta/com.apple.quicktime.still-image-time") else { continue }
            let reader = try AVAssetReader(asset: film)
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
            reader.add(output)
            guard reader.startReading() else { throw LivePhotoError.failed(reader.error) }
            defer { reader.cancelReading() }
            while let group = adaptor.nextTimedMetadataGroup() {
                if group.items.contains(where: { $0.numberValue?.intValue == 0 }) { return group.timeRange.start }
            }
        }
        return nil
    }
}

/// Encodes drawings anew from a film, by providers and receivers.
struct AwaitedTranscoder {
    let source: AVAsset

    func transcode(to url: URL, width: Int, height: Int) async throws -> Int {
        guard let track = try await source.loadTracks(withMediaType: .video).first else { throw LivePhotoError.noVideo }
        let reader = try AVAssetReader(asset: source)
        let provider = reader.outputProvider(
            for: AVAssetReaderTrackOutput(
                track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]))
        let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [
                AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height,
            ])
        let receiver = writer.inputPixelBufferReceiver(for: input, pixelBufferAttributes: nil)
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        var count = 0
        while let sample = try await provider.next() {
            try Task.checkCancellation()
            guard case .pixelBuffer(let picture) = sample.content else { continue }
            try await receiver.append(picture, with: sample.presentationTimeStamp)
            count += 1
        }
        receiver.finish()
        await writer.finishWriting()
        guard writer.status == .completed else { throw LivePhotoError.failed(writer.error) }
        return count
    }
}
