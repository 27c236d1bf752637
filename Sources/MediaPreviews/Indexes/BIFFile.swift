public import Foundation
public import MediaCore

/// The layout of a BIF file: JPEG pictures one after the other, found by an index.
///
/// Roku's players read it beside a stream, Plex keeps one for each film, and
/// plug-ins of Jellyfin, mpv and web players take it too. The index comes first
/// but needs the pictures' sizes, so that a file is written like this: leave
/// ``imagesOffset`` bytes free, write each picture and ``add(byteCount:)`` it,
/// then write ``header()`` at the file's start.
///
/// Where the interval is whole milliseconds it becomes the index's multiplier and
/// pictures are numbered 0, 1, 2 and so on, as Plex does. Then readers that
/// multiply the timestamps, as Roku's format says, and readers that take a
/// picture's position for its time get the same. Other intervals are written with
/// a multiplier of 1 and each time's nearest millisecond: a rounded multiplier
/// would drift, by half a second in a thousand pictures.
public struct BIFFile: Sendable {
    /// Why a BIF file cannot be made.
    public enum Failure: BridgedError, Hashable, CustomStringConvertible, LocalizedError {
        /// The format holds from 1 to some five hundred million pictures.
        case unsupportedImageCount(Int)
        /// The interval is shorter than a millisecond or not a number, or the times do not fit.
        case unsupportedInterval
        /// A picture has no bytes.
        case emptyImage
        /// The file would be larger than 4 GiB, beyond which positions do not fit.
        case tooLarge
        /// There are more pictures, or fewer, than were announced.
        case imageCountDiffers(announced: Int, added: Int)

        /// One line for people.
        public var description: String {
            switch self {
            case .unsupportedImageCount(let count): "a BIF file cannot hold \(count) pictures"
            case .unsupportedInterval: "a BIF file cannot hold pictures at this interval"
            case .emptyImage: "a picture for the BIF file is empty"
            case .tooLarge: "the BIF file would be larger than 4 GiB, the most that the format can hold"
            case .imageCountDiffers(let announced, let added):
                "the BIF file was made for \(announced) pictures, not for \(added)"
            }
        }
        /// One line for people.
        public var errorDescription: String? { description }
    }

    /// The file's usual name.
    public static let fileName = "storyboard.bif"

    /// How many pictures there will be, from 1 on.
    public let imageCount: Int
    /// How many milliseconds a timestamp of 1 stands for.
    public let timestampMultiplier: UInt32
    /// Where the first picture begins in the file: the header's size in bytes.
    public let imagesOffset: UInt32

    private let interval: CMTime
    /// Where each picture begins that was added.
    private var offsets: [UInt32] = []
    /// Where the pictures that were added end.
    private var end: UInt32

    private static let headerByteCount = 64
    /// What the index has instead of a timestamp behind its last picture.
    private static let endMark = UInt32.max

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - imageCount: How many pictures there will be, from 1 on.
    ///   - interval: The time from one picture to the next, a millisecond at least; the first is at zero.
    /// - Throws: `Failure.unsupportedImageCount` or `.unsupportedInterval`.
    public init(imageCount: Int, interval: CMTime) throws(Failure) {
        guard imageCount > 0, imageCount < Int(UInt32.max) / 8,
            let offset = UInt32(exactly: Self.headerByteCount + 8 * (imageCount + 1))
        else { throw .unsupportedImageCount(imageCount) }
        let milliseconds = interval.isNumeric ? interval.convertScale(1000, method: .roundTowardZero) : .invalid
        guard milliseconds.isNumeric, milliseconds.value > 0 else { throw .unsupportedInterval }
        if milliseconds == interval, let multiplier = UInt32(exactly: milliseconds.value) {
            timestampMultiplier = multiplier
        } else {
            timestampMultiplier = 1
            guard interval.nanoseconds(times: imageCount) / 1_000_000 < Int128(Self.endMark) else {
                throw .unsupportedInterval
            }
        }
        (self.imageCount, self.interval, imagesOffset, end) = (imageCount, interval, offset, offset)
    }

    /// Takes note of the next picture, which begins where the one before ended.
    ///
    /// - Parameter byteCount: Its size in bytes.
    /// - Throws: `Failure.emptyImage`, `.tooLarge` or `.imageCountDiffers`; the picture is not counted then.
    public mutating func add(byteCount: Int) throws(Failure) {
        guard byteCount > 0 else { throw .emptyImage }
        guard offsets.count < imageCount else {
            throw .imageCountDiffers(announced: imageCount, added: offsets.count + 1)
        }
        guard let size = UInt32(exactly: byteCount) else { throw .tooLarge }
        let (next, overflow) = end.addingReportingOverflow(size)
        guard !overflow else { throw .tooLarge }
        offsets.append(end)
        end = next
    }

    /// The file's first ``imagesOffset`` bytes.
    ///
    /// - Throws: `Failure.imageCountDiffers` if fewer pictures were added than announced.
    public func header() throws(Failure) -> Data {
        guard offsets.count == imageCount else {
            throw .imageCountDiffers(announced: imageCount, added: offsets.count)
        }
        var data = Data([0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])
        data.reserveCapacity(Int(imagesOffset))
        func append(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        append(0)
        append(UInt32(imageCount))
        append(timestampMultiplier)
        data.append(Data(count: Self.headerByteCount - data.count))
        for (index, offset) in offsets.enumerated() {
            append(timestamp(ofImage: index))
            append(offset)
        }
        append(Self.endMark)
        append(end)
        return data
    }

    private func timestamp(ofImage index: Int) -> UInt32 {
        guard timestampMultiplier == 1 else { return UInt32(index) }
        return UInt32(clamping: (interval.nanoseconds(times: index) + 500_000) / 1_000_000)
    }
}

/// What Roku's documentation asks of pictures for its players.
public enum RokuLimits {
    /// The widths of pictures in a BIF file in pixels, for screens of standard and of high definition.
    public static let bifWidths = [240, 320]
    /// The longest side of a sheet of HLS or DASH in pixels that devices of the higher end show.
    public static let sheetSide = 1080

    /// Where a storyboard breaks these limits, a line for each; empty if it does not.
    ///
    /// - Parameter extras: What is written of it: ``StoryboardExtra/bif``, ``StoryboardExtra/hls`` and
    ///   ``StoryboardExtra/dash`` have limits.
    public static func warnings(of storyboard: Storyboard, extras: Set<StoryboardExtra>) -> [String] {
        var warnings: [String] = []
        if extras.contains(.bif), !bifWidths.contains(storyboard.tileWidth) {
            warnings.append(
                "Roku takes pictures of a BIF file that are 240 (SD) or 320 (HD) pixels wide, not "
                    + "\(storyboard.tileWidth); --tile 320x0 makes them so where the film is wide enough")
        }
        if !extras.isDisjoint(with: [.hls, .dash]), max(storyboard.sheetWidth, storyboard.sheetHeight) > sheetSide {
            warnings.append(
                "Roku shows pictures of HLS and DASH from sheets of up to \(sheetSide) pixels a side, not from "
                    + "\(storyboard.sheetWidth)x\(storyboard.sheetHeight); take fewer columns and rows")
        }
        return warnings
    }
}
