internal import ArgumentParser

/// What a waveform becomes.
package enum WaveformFormat: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
    /// Peaks as audiowaveform writes them, in JSON.
    case json
    /// Peaks as audiowaveform writes them, in bytes.
    case dat
    /// A drawing.
    case svg
    /// A picture.
    case png

    /// Whether it is drawn.
    package var isPicture: Bool { self == .svg || self == .png }
    package var filenameExtension: String { rawValue }
}

/// How high a waveform is drawn.
package enum WaveformScale: Codable, Sendable, Equatable, ExpressibleByArgument {
    /// The loudest point fills the height.
    case auto
    case factor(Double)

    package init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        guard let factor = Double(argument), factor > 0, factor <= 1000 else { return nil }
        self = .factor(factor)
    }

    package var defaultValueDescription: String {
        switch self {
        case .auto: "auto"
        case .factor(let factor): factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        }
    }
}
