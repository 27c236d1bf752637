internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MetadataFormats

/// How copied pictures are to be seen, turned and cropped, and what a container can say of that.
struct CopiedView {
    private let video: VideoDescription
    private let format: ContainerFormat
    private let fileType: AVFileType

    init(_ video: VideoDescription, in format: ContainerFormat, fileType: AVFileType) {
        (self.video, self.format, self.fileType) = (video, format, fileType)
    }

    private var isCropped: Bool {
        let seen = video.cleanAperture
        return (seen.width, seen.height) != (video.codedSize.width, video.codedSize.height)
    }

    private var rotation: PictureRotation { PictureRotation(video.preferredTransform) ?? .upright }
    private var isMirrored: Bool { rotation.isMirrored }
    private var isTurned: Bool { !rotation.isUpright }

    /// What has to be said in a Matroska file's header, `nil` for nothing.
    var shape: MatroskaPictureShape? {
        guard format.container.isMatroska, isTurned || isCropped, let shape = MatroskaPictureShape(video),
            !shape.isPlain
        else {
            return nil
        }
        return shape
    }

    /// What the muxer has to be told.
    func applied(to traits: StreamTraits) -> StreamTraits {
        var traits = traits
        if format.container.holdsDisplayMatrix, let matrix = video.preferredTransform.displayMatrix {
            traits.displayMatrix = matrix
        }
        return traits
    }

    /// What the container cannot say.
    func losses(of track: TrackDescription) -> [ExportLoss] {
        let name = track.nameForPeople
        var losses: [ExportLoss] = []
        let advice = "presets that encode anew turn and crop the pictures themselves"
        if isTurned, !format.container.isMovie, shape == nil {
            losses.append(
                ExportLoss(
                    .media, "how pictures are turned, \(name)",
                    reason: "\(fileType.name) files cannot say it, and players show them as they are stored; \(advice)",
                    trackID: track.trackID, trait: .orientation))
        } else if !rotation.isSquare, format.container.isMatroska {
            losses.append(
                ExportLoss(
                    .media, "that pictures are skewed, \(name)",
                    reason: "\(fileType.name) files can say turns of pictures only", effect: .changed,
                    trackID: track.trackID, trait: .orientation))
        } else if isMirrored, format.container.isMatroska {
            losses.append(
                ExportLoss(
                    .media, "that pictures are mirrored, \(name)",
                    reason: "it is written, but few players mirror pictures of \(fileType.name) files; \(advice)",
                    trackID: track.trackID, trait: .orientation))
        }
        if isCropped, !format.container.isMatroska || shape == nil {
            losses.append(
                ExportLoss(
                    .media, "the clean aperture, \(name)",
                    reason:
                        "players of \(fileType.name) files made of coded samples show the whole pictures; \(advice)",
                    trackID: track.trackID, trait: .cleanAperture))
        }
        return losses
    }
}

/// What a container can say of copied sound.
enum CopiedSound {
    /// Refuses AAC that cannot be divided into the frames of a container without headers.
    static func check(
        _ track: TrackDescription, _ stream: StreamInfo, in format: ContainerFormat, fileType: AVFileType
    ) throws(AVError) {
        guard track.codecType == .aac, format.container.has(.hasADTSFrames),
            let reason = ADTSFrames.refusal(of: stream.extradata)
        else { return }
        throw AVError(
            .operationNotSupportedForAsset,
            reason:
                "\(fileType.name) files cannot hold the sound of track \(track.trackID) as it is: it has \(reason); "
                + "a Matroska file can hold almost anything, and presets that encode anew fit any source")
    }
}

/// Pictures that a movie's edit list hides, where the new file has no edit list.
enum HiddenPictures {
    /// How many of them come before the first shown picture, which is built on them.
    ///
    /// Reads the stream up to there.
    static func count(before stream: Int, of source: AssetSource, in format: ContainerFormat) throws -> Int {
        guard source.file != nil else { return 0 }
        let demuxer = try source.open()
        guard demuxer.streams.indices.contains(stream) else { return 0 }
        demuxer.select(streams: [stream])
        let info = demuxer.streams[stream]
        var pictures = CopiedPictures(info, form: .init(format, info))
        for _ in 0..<demuxer.policy.maximumPackets {
            guard let packet = try demuxer.readPacket() else {
                _ = try pictures.finish()
                break
            }
            if try !pictures.add(packet).isEmpty { break }
        }
        return pictures.hiddenCount
    }

    /// The losses of the tracks of a job.
    ///
    /// - Parameter counts: How many pictures of each are shown that the source hides.
    static func losses(_ tracks: [PipelineJob.Track], _ counts: [Int], in type: AVFileType) -> [ExportLoss] {
        zip(tracks, counts).filter { $0.1 > 0 }.map { track, count in
            ExportLoss(
                .media, "the edit list of \(track.name)",
                reason: "\(type.name) files have none: \(count) hidden picture\(count == 1 ? "" : "s"), on which "
                    + "others are built, \(count == 1 ? "is" : "are") shown\(type == .mpeg2TransportStream ? "" : " for a moment")",
                effect: .changed, trackID: track.trackID, trait: .frames)
        }
    }
}

/// Sound that decoders leave out at its beginning, where the new file cannot say so.
enum UnheardSamples {
    /// How many there are, by the stream up to the first packet that is heard.
    static func count(before stream: Int, of source: AssetSource, in format: ContainerFormat) throws -> Int64 {
        guard source.file != nil, !format.container.isMovie else { return 0 }
        let demuxer = try source.open()
        guard demuxer.streams.indices.contains(stream) else { return 0 }
        demuxer.select(streams: [stream])
        let info = demuxer.streams[stream]
        let preroll = AudioPreroll(info)
        var packets: [Packet] = []
        var start: Int64?
        for _ in 0..<demuxer.policy.maximumPackets {
            guard let packet = try demuxer.readUndamagedPacket() else { break }
            guard packet.isDiscarded else {
                packets.append(packet)
                break
            }
            start = preroll.hold(packet, hiddenSince: start, of: info, in: &packets)
        }
        return info.samplesNotToBeHeard(in: packets, isSaid: format.saysLeadIn(of: info.codec))
    }

    /// The losses of the tracks of a job.
    ///
    /// - Parameter counts: How many samples of each are heard that the source has left out.
    static func losses(_ tracks: [PipelineJob.Track], _ counts: [Int64], in type: AVFileType) -> [ExportLoss] {
        zip(tracks, counts).filter { $0.1 > 0 }.map { track, count in
            ExportLoss(
                .media, "where the sound of \(track.name) begins",
                reason: "\(type.name) files have no place for it: \(count) more samples are heard, and all sound comes "
                    + "as much later", effect: .changed, trackID: track.trackID, trait: .times)
        }
    }
}

/// Captions among the user data of pictures that are encoded anew.
enum EncodedCaptions {
    /// Encoders that write the captions that come with their pictures.
    private static let writers: Set<String> = ["libx264", Codec.mpeg2Video.rawValue]

    /// Why captions do not get into the new pictures; `nil` if they do, or if there are none.
    static func reasonForLoss(
        of track: TrackDescription, _ conversion: TrackConversion, _ source: AssetSource
    ) throws -> String? {
        guard track.mediaType == .video else { return nil }
        let encoder = conversion.encoding.encoder
        var reason: String?
        if !writers.contains(encoder.name) {
            reason = "\(encoder.name) writes none; presets that make H.264 keep them"
        } else if encoder.options["a53cc"] == "0" {
            reason = "the preset turns them off"
        } else if conversion.encoding.rateLimit != nil {
            reason = "those of pictures that are left out go with them"
        }
        guard let reason, source.file != nil, try source.open().hasCaptions(inStream: track.streamIndex) else {
            return nil
        }
        return reason
    }
}
