import Foundation
import OpenAVFoundation

func text(_ time: CMTime) -> String {
    time.isNumeric ? "\(time.value)/\(time.timescale)" : "\(time.flags.rawValue)"
}

func text(_ range: CMTimeRange) -> String { "[\(text(range.start)) + \(text(range.duration))]" }

func text(_ transform: CGAffineTransform) -> String {
    "(\(transform.a) \(transform.b) \(transform.c) \(transform.d) \(transform.tx) \(transform.ty))"
}

/// What assets and tracks say of themselves, of every fixture.
@Sendable func facts(_ workspace: Workspace) async throws {
    for name in try workspace.all() {
        let asset = AVURLAsset(url: workspace.fixture(name))
        var lines = [
            "duration \(await outcome { text(try await asset.load(.duration)) })",
            "playable \(await outcome { try await asset.load(.isPlayable) })",
            "exportable \(await outcome { try await asset.load(.isExportable) })",
            "protected \(await outcome { try await asset.load(.hasProtectedContent) })",
            "fragments \(await outcome { try await asset.load(.containsFragments) })",
            "precise \(await outcome { try await asset.load(.providesPreciseDurationAndTiming) })",
            "transform \(await outcome { text(try await asset.load(.preferredTransform)) })",
            "rate, volume \(await outcome { try await asset.load(.preferredRate, .preferredVolume) })",
            "creation date \(await outcome { try await asset.load(.creationDate)?.load(.stringValue) ?? "none" })",
            "lyrics \(await outcome { try await asset.load(.lyrics) ?? "none" })",
        ]
        let tracks = (try? await asset.load(.tracks)) ?? []
        for track in tracks { lines += await facts(of: track) }
        for group in (try? await asset.load(.trackGroups)) ?? [] { lines.append("group \(group.trackIDs)") }
        for type in [AVMediaType.video, .audio, .subtitle, .text, .timecode, .metadata] {
            let found = await outcome { try await asset.loadTracks(withMediaType: type).map(\.trackID) }
            lines.append("\(type.rawValue) \(found)")
        }
        for characteristic in [AVMediaCharacteristic.visual, .audible, .legible] {
            let found = await outcome {
                try await asset.loadTracks(withMediaCharacteristic: characteristic).map(\.trackID)
            }
            lines.append("\(characteristic.rawValue) \(found)")
        }
        try workspace.write("\(name).txt", lines)
    }
}

private func facts(of track: AVAssetTrack) async -> [String] {
    let id = "track \(track.trackID)"
    var lines = [
        "\(id) \(track.mediaType.rawValue)",
        "\(id) range \(await outcome { text(try await track.load(.timeRange)) })",
        "\(id) size \(await outcome { try await track.load(.naturalSize) })",
        "\(id) transform \(await outcome { text(try await track.load(.preferredTransform)) })",
        "\(id) rates \(await outcome { try await track.load(.nominalFrameRate, .estimatedDataRate) })",
        "\(id) minimum \(await outcome { text(try await track.load(.minFrameDuration)) })",
        "\(id) scale \(await outcome { try await track.load(.naturalTimeScale) })",
        "\(id) language \(await outcome { try await track.load(.languageCode) ?? "none" })",
        "\(id) tag \(await outcome { try await track.load(.extendedLanguageTag) ?? "none" })",
        "\(id) bytes \(await outcome { try await track.load(.totalSampleDataLength) })",
        "\(id) enabled, playable, decodable, self-contained "
            + (await outcome { try await track.load(.isEnabled, .isPlayable, .isDecodable, .isSelfContained) }),
        "\(id) reordering \(await outcome { try await track.load(.requiresFrameReordering) })",
        "\(id) volume \(await outcome { try await track.load(.preferredVolume) })",
    ]
    for segment in (try? await track.load(.segments)) ?? [] {
        let mapping = segment.timeMapping
        lines.append("\(id) segment \(text(mapping.source)) → \(text(mapping.target)) \(segment.isEmpty)")
    }
    for format in (try? await track.load(.formatDescriptions)) ?? [] {
        lines.append("\(id) format \(format.mediaType) \(format.mediaSubType)")
        if format.mediaType == .video {
            let shown = format.presentationDimensions(usePixelAspectRatio: true, useCleanAperture: true)
            lines.append("\(id) dimensions \(format.dimensions) \(shown)")
            for key in [CMFormatDescription.Extensions.Key.colorPrimaries, .transferFunction, .yCbCrMatrix] {
                let value = format.extensions[key]?.propertyListRepresentation
                lines.append("\(id) \(key.rawValue) \(value.map { "\($0)" } ?? "none")")
            }
        } else if format.mediaType == .audio, let basic = format.audioStreamBasicDescription {
            lines.append("\(id) \(basic)")
        }
    }
    let items = await outcome { try await track.load(.metadata).map { $0.identifier?.rawValue ?? "" } }
    lines.append("\(id) items \(items)")
    lines.append("\(id) chapters \(track.associatedTracks(ofType: .chapterList).map(\.trackID))")
    for time in [CMTime(value: 1, timescale: 2), CMTime(value: 17, timescale: 25)] {
        lines.append("\(id) at \(text(time)) \(text(track.samplePresentationTime(forTrackTime: time)))")
    }
    return lines
}

/// Metadata of every fixture: items, common items, chapters.
@Sendable func metadata(_ workspace: Workspace) async throws {
    for name in try workspace.all() {
        let asset = AVURLAsset(url: workspace.fixture(name))
        var lines: [String] = []
        let formats = (try? await asset.load(.availableMetadataFormats)) ?? []
        for format in formats {
            lines.append("format \(format.rawValue)")
            for item in (try? await asset.loadMetadata(for: format)) ?? [] { lines.append(await line(of: item)) }
        }
        for item in (try? await asset.load(.metadata)) ?? [] { lines.append("all \(await line(of: item))") }
        for item in (try? await asset.load(.commonMetadata)) ?? [] { lines.append("common \(await line(of: item))") }
        for locale in (try? await asset.load(.availableChapterLocales)) ?? [] {
            lines.append("locale \(locale.identifier)")
            for group in (try? await asset.loadChapterMetadataGroups(withTitleLocale: locale)) ?? [] {
                lines.append("chapter \(text(group.timeRange))")
                for item in group.items { lines.append("  \(await line(of: item))") }
            }
        }
        try workspace.write("\(name).txt", lines)
    }
}

private func line(of item: AVMetadataItem) async -> String {
    let value = await outcome { try await item.load(.stringValue) ?? "none" }
    let data = await outcome { try await item.load(.dataValue).map { "\(Digest($0))" } ?? "none" }
    let names = [item.identifier?.rawValue, item.keySpace?.rawValue, item.commonKey?.rawValue]
        .map { $0 ?? "none" }.joined(separator: " ")
    let attributes = await outcome {
        (try await item.load(.extraAttributes) ?? [:]).map { "\($0.key.rawValue)=\($0.value)" }.sorted()
    }
    return "\(names) \(item.dataType ?? "none") \(item.extendedLanguageTag ?? "none") \(value) \(data) \(attributes)"
}
