public import MediaCore
internal import MediaImage

extension ContactSheet {
    /// How large things are.
    public enum Scale: Sendable, Hashable {
        /// The sheet has so many pixels in a row, from 64 to 65535, fewer if that needs stills to be enlarged.
        case sheetWidth(Int)
        /// Stills fit into a box of so many pixels, from 8 to 65535 a side.
        case tile(width: Int, height: Int)
    }

    /// Where the times of stills stand.
    public typealias Labels = SheetLabels

    /// How a sheet looks, and what it may show; what is out of range fails the sheet.
    public struct Settings: Sendable, Hashable {
        /// Stills in a row, from 1 to 1000, fewer if there are not as many; 4 by default.
        public var columns = 4
        /// Rows of stills at even times, from 1 to 1000; 4 by default.
        public var rows = 4
        /// Stills at even times, from 1 to 100,000; columns times rows if `nil`.
        public var count: Int?
        /// How large things are: a sheet of 1440 pixels in a row by default.
        public var scale = Scale.sheetWidth(1440)
        /// Pixels around everything, from 0 to 4096; in proportion to the sheet if `nil`.
        public var margin: Int?
        /// Pixels between stills, from 0 to 4096; in proportion to the sheet if `nil`.
        public var gap: Int?
        /// What is behind everything; text is black or white, whatever contrasts more.
        public var background = RGBColor(red: 28, green: 28, blue: 30)
        /// The part of the film, on the asset's timeline, that even times and chapters are taken from; `nil` for all of
        /// it.
        public var part: CMTimeRange?
        /// What the times on the sheet count from.
        public var timeline = PreviewTimeline.asset
        /// Whether the sheet begins with what the file contains.
        public var showsHeader = true
        /// Where times stand.
        public var labels = Labels.under
        /// The file format that the sheet has to fit into.
        public var format = PreviewImageFormat.png
        /// How far a frame may lie from its time that stands better for what is
        /// around, at most halfway to the next one; zero for the exact frame.
        public var representativeWindow = CMTime.zero
        /// Whether damaged pictures are shown, marked as such, and placeholders
        /// where there is none, instead of giving up.
        public var allowsDamagedPictures = false

        /// Makes the usual settings: four by four stills on 1440 pixels.
        public init() {}

        /// Stills at even times.
        var evenCount: Int { count ?? columns * rows }

        /// The most pixels of a sheet.
        static let maximumPixelCount = 1 << 26

        /// - Throws: `AVError.incorrectlyConfigured` for numbers that make no sense.
        func check() throws {
            func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
                guard !range.contains(value) else { return }
                throw AVError(
                    .incorrectlyConfigured,
                    reason: "\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
            try check("columns", columns, 1...1000)
            try check("rows", rows, 1...1000)
            if let count { try check("the number of stills", count, 1...100_000) }
            switch scale {
            case .sheetWidth(let width): try check("the sheet's width", width, 64...65535)
            case .tile(let width, let height):
                try check("a tile's width", width, 8...65535)
                try check("a tile's height", height, 8...65535)
            }
            if let margin { try check("the margin", margin, 0...4096) }
            if let gap { try check("the gap", gap, 0...4096) }
        }
    }
}
