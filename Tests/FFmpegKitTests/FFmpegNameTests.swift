import CFFmpeg
import FFmpegKit
import Foundation
import MediaCore
import TestSupport
import Testing

/// What FFmpeg names, and what another program shows of the fixtures.
@Suite struct `Names of FFmpeg` {
    /// The names of codes from 0 on, without those that say nothing.
    private func names(_ name: (UInt32) -> UnsafePointer<CChar>?) -> Set<String> {
        Set((0..<512).compactMap { name($0).map { String(cString: $0) } }).subtracting(["unknown", "unspecified"])
    }

    @Test func `FFmpeg's names of colour tags are all known`() {
        let primaries = names { av_color_primaries_name(AVColorPrimaries(rawValue: $0)) }
        // What FFmpeg 9 has beyond the standard's codes is of one maker's cameras, and no container stores it.
        let others: Set = ["vgamut", "vlog"]
        #expect(
            primaries.count > 10 && primaries.subtracting(others).isSubset(of: ColorPrimaries.allCases.map(\.rawValue)))
        let transfers = names { av_color_transfer_name(AVColorTransferCharacteristic(rawValue: $0)) }
        #expect(
            transfers.count > 15
                && transfers.subtracting(others).isSubset(of: TransferFunction.allCases.map(\.rawValue)))
        let matrices = names { av_color_space_name(AVColorSpace(rawValue: $0)) }
        #expect(matrices.count > 12 && matrices.isSubset(of: MatrixCoefficients.allCases.map(\.rawValue)))
        let ranges = names { av_color_range_name(AVColorRange(rawValue: $0)) }
        #expect(ranges == Set(ColorRange.allCases.map(\.rawValue)))
        let locations = names { av_chroma_location_name(AVChromaLocation(rawValue: $0)) }
        #expect(locations == Set(ChromaLocation.allCases.map(\.rawValue)))
    }

    @Test func `FFmpeg knows the names of all constants`() {
        let codecs: [Codec] = [
            .h264, .hevc, .av1, .vp8, .vp9, .mpeg1Video, .mpeg2Video, .mpeg4, .vc1, .wmv3, .cavs, .dirac, .theora, .dv,
            .proRes, .dnxhd, .ffv1, .motionJPEG, .png, .animatedPNG, .gif, .webP, .bmp, .uncompressedVideo, .aac,
            .aacLATM, .mp2, .mp3, .ac3, .eac3, .dts, .trueHD, .opus, .vorbis, .speex, .flac, .alac, .wavPack, .tta,
            .pcm16, .pcm24, .pcm32, .pcmFloat, .pcm16BigEndian, .pcm24BigEndian, .pcmOfDiscs, .timedText, .subRip,
            .ass, .webVTT, .plainText, .dvdSubtitle, .dvbSubtitle, .pgs, .xsub, .teletext, .aribCaption, .timedID3,
            .klv, .data,
        ]
        for codec in codecs { #expect(avcodec_descriptor_get_by_name(codec.rawValue) != nil, "\(codec)") }
        let read: [Container] = [
            .avi, .flv, .asf, .mxf, .nut, .realMedia, .mpegTransportStream, .mpegProgramStream, .ogg, .wave, .wave64,
            .aiff, .caf, .au, .mp3, .flac, .ac3, .eac3, .mpegVideo, .mpeg4Video, .gif, .animatedPNG, .jpegPicture,
            .pngPicture, .webPPicture, .tiffPicture,
        ]
        for container in read { #expect(av_find_input_format(container.rawValue) != nil, "\(container)") }
        for family in [Container.movie, .matroskaOrWebM] {
            let format = av_find_input_format(String(family.rawValue.prefix { $0 != "," }))
            #expect(format.map { String(cString: $0.pointee.name) } == family.rawValue)
        }
        let written: [Container] = [
            .quickTime, .mp4, .iPod, .threeGP, .matroska, .webM, .oggSound, .oggVideo, .opus, .adts, .subRip, .webVTT,
            .ass, .webP,
        ]
        for container in written { #expect(av_guess_format(container.rawValue, nil, nil) != nil, "\(container)") }
    }

    @Test func `FFmpeg's names for fixtures are those of ffprobe`() async throws {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.path) {
            guard let sidecar = try? await Sidecar.probe(Fixture(name)), let expected = sidecar.streams,
                let demuxer = try? Demuxer.open(
                    Fixture(name).path, policy: SafetyPolicy(), interrupt: Interrupt())
            else { continue }
            count += 1
            #expect(demuxer.container.rawValue == sidecar.format?.formatName, "\(name)")
            #expect(demuxer.container.name != demuxer.container.rawValue, "\(name)")
            for (stream, said) in zip(demuxer.streams, expected) {
                func isSame(_ type: String?, _ other: String?) -> Bool { type == (other == "unknown" ? nil : other) }
                #expect(said.codecName == nil || stream.codec.rawValue == said.codecName, "\(name)")
                guard let video = stream.video else { continue }
                #expect(isSame(video.fieldOrder?.rawValue, said.fieldOrder), "\(name)")
                #expect(isSame(video.color.primaries?.rawValue, said.colorPrimaries), "\(name)")
                #expect(isSame(video.color.transferFunction?.rawValue, said.colorTransfer), "\(name)")
                #expect(isSame(video.color.yCbCrMatrix?.rawValue, said.colorSpace), "\(name)")
                #expect(isSame(video.color.range?.rawValue, said.colorRange), "\(name)")
            }
        }
        #expect(count > 60)
    }
}
