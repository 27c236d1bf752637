// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// Times on their way through dictionaries and objects.
struct TimeArchive {
    func encode(_ range: CMTimeRange) -> [String: Any]? {
        CMTimeRangeCopyAsDictionary(range, allocator: kCFAllocatorDefault)
    }

    func text(_ time: CMTime) -> String {
        (CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time) ?? "") as String
    }

    func boxed(_ ranges: [CMTimeRange]) -> [NSValue] { ranges.map { NSValue(timeRange: $0) } }

    func unboxed(_ values: [NSValue]) -> [CMTimeRange] { values.map(\.timeRangeValue) }

    func nanoseconds(_ seconds: Double) -> CMTime {
        CMTimeMakeWithSeconds(seconds, preferredTimescale: CMTimeScale(NSEC_PER_SEC))
    }
}

/// Options of an image library, typed as Core Foundation's.
struct ThumbnailOptions {
    var maximumSize: Int
    var keepsShape = true

    var dictionary: CFDictionary {
        [
            "kCGImageSourceThumbnailMaxPixelSize" as CFString: maximumSize as NSNumber,
            "kCGImageSourceCreateThumbnailWithTransform" as CFString: kCFBooleanTrue!,
            "kept" as CFString: (keepsShape ? kCFBooleanTrue : kCFBooleanFalse)!,
        ] as CFDictionary
    }

    func destination(_ url: URL) -> (url: CFURL, type: CFString) { (url as CFURL, AVFileType.jpg.rawValue as CFString) }

    func bytes(_ data: Data) -> CFData { data as CFData }

    func names(_ names: [String]) -> CFArray { names as CFArray }
}

/// Work that leaves objects behind, in pieces.
func checksum(of pieces: [Data]) throws -> Int {
    var sum = 0
    for piece in pieces {
        try autoreleasepool {
            guard !piece.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
            sum += piece.reduce(0) { $0 + Int($1) }
        }
    }
    let last = autoreleasepool { pieces.last?.count ?? 0 }
    return sum + last
}

/// Keys as objects, as metadata items take them.
func titleItem(_ title: String) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.keySpace = .common
    item.key = AVMetadataKey.commonKeyTitle as NSString
    item.value = title as NSString
    return item
}

/// An error by way of a pointer, as code from Objective-C takes it.
func report(_ error: NSErrorPointer) -> Bool {
    error?.pointee = NSError(domain: AVFoundationErrorDomain, code: -11800, userInfo: nil)
    return false
}
