import Foundation
import MediaCore
import SampleBuffers
import Testing

/// What is attached to buffers, and sizes that follow from it.
struct PixelBufferAttachmentTests {
    private let made: CVPixelBuffer

    init() throws { made = try buffer(720, 480, kCVPixelFormatType_32BGRA) }

    private func text(_ key: CFString, of buffer: CVPixelBuffer? = nil) -> String? {
        CVBufferCopyAttachment(buffer ?? made, key, nil) as? String
    }

    @Test func `An attachment of a pixel buffer is found by its key, with its mode`() {
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(made, kCVImageBufferYCbCrMatrixKey, &mode) == nil)
        #expect(!CVBufferHasAttachment(made, kCVImageBufferYCbCrMatrixKey))
        CVBufferSetAttachment(
            made, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        #expect(CVBufferHasAttachment(made, kCVImageBufferYCbCrMatrixKey))
        #expect(CVBufferCopyAttachment(made, kCVImageBufferYCbCrMatrixKey, &mode) as? String == "ITU_R_709_2")
        #expect(mode == .shouldPropagate)
        let unmanaged = CVBufferGetAttachment(made, kCVImageBufferYCbCrMatrixKey, nil)
        #expect(unmanaged?.takeUnretainedValue() as? NSString == kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    }

    @Test func `A key has one attachment in one mode at a time`() {
        CVBufferSetAttachment(made, "key" as CFString, "one" as CFString, .shouldPropagate)
        CVBufferSetAttachment(made, "key" as CFString, "other" as CFString, .shouldNotPropagate)
        #expect(text("key") == "other")
        #expect(CVBufferCopyAttachments(made, .shouldPropagate) == nil)
        #expect(CVBufferCopyAttachments(made, .shouldNotPropagate)?.count == 1)
    }

    @Test func `Attachments of a dictionary are attached to a pixel buffer one by one`() throws {
        CVBufferSetAttachments(
            made,
            [
                kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_P3_D65,
                kCVImageBufferGammaLevelKey: 2.2,
                kCVImageBufferICCProfileKey: Data([1, 2]),
            ] as [CFString: Any] as CFDictionary, .shouldPropagate)
        #expect(text(kCVImageBufferColorPrimariesKey) == "P3_D65")
        let all = try #require(CVBufferCopyAttachments(made, .shouldPropagate) as? [String: Any])
        #expect(all.count == 3)
        #expect(all[kCVImageBufferGammaLevelKey as String] as? Double == 2.2)
        #expect(all[kCVImageBufferICCProfileKey as String] as? Data == Data([1, 2]))
    }

    @Test func `A pixel buffer without attachments has no copy of them, and an empty dictionary`() {
        #expect(CVBufferCopyAttachments(made, .shouldPropagate) == nil)
        #expect(CVBufferGetAttachments(made, .shouldPropagate)?.count == 0)
    }

    @Test func `Attachments of a pixel buffer are removed, one or all, and released`() {
        final class Witness {}
        weak var seen: Witness?
        do {
            let witness = Witness()
            seen = witness
            CVBufferSetAttachment(made, "witness" as CFString, witness, .shouldNotPropagate)
        }
        CVBufferSetAttachment(made, "other" as CFString, kCFBooleanTrue, .shouldPropagate)
        #expect(seen != nil)
        CVBufferRemoveAttachment(made, "nobody" as CFString)
        CVBufferRemoveAttachment(made, "witness" as CFString)
        #expect(seen == nil)
        #expect(CVBufferHasAttachment(made, "other" as CFString))
        CVBufferRemoveAllAttachments(made)
        #expect(!CVBufferHasAttachment(made, "other" as CFString))
    }

    @Test func `Attachments that should propagate go to the other pixel buffer`() throws {
        let other = try buffer(2, 2, kCVPixelFormatType_32BGRA)
        CVBufferSetAttachment(made, "colour" as CFString, "new" as CFString, .shouldPropagate)
        CVBufferSetAttachment(made, "time" as CFString, "now" as CFString, .shouldNotPropagate)
        CVBufferSetAttachment(other, "colour" as CFString, "old" as CFString, .shouldNotPropagate)
        CVBufferSetAttachment(other, "own" as CFString, "kept" as CFString, .shouldNotPropagate)
        CVBufferPropagateAttachments(made, other)
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(other, "colour" as CFString, &mode) as? String == "new")
        #expect(mode == .shouldPropagate)
        #expect(text("time", of: other) == nil)
        #expect(text("own", of: other) == "kept")
        CVBufferPropagateAttachments(made, made)
        #expect(text("colour") == "new")
    }

    @Test func `Attachments have the classes that they have on Apple's platforms`() {
        let values: [String: Any] = [
            "text": "a", "number": CGFloat(2), "bytes": Data([1]), "list": [1], "values": ["a": 1],
        ]
        CVBufferSetAttachments(made, values as CFDictionary, .shouldPropagate)
        func object(_ key: String) -> AnyObject? { CVBufferCopyAttachment(made, key as CFString, nil) }
        #expect(object("text") is CFString)
        #expect(object("number") is CFNumber)
        #expect(object("bytes") is CFData)
        #expect(object("list") is CFArray)
        #expect(object("values") is CFDictionary)
    }

    @Test func `Sizes of a pixel buffer without attachments are those of its pixels`() {
        #expect(CVImageBufferGetEncodedSize(made) == CGSize(width: 720, height: 480))
        #expect(CVImageBufferGetDisplaySize(made) == CGSize(width: 720, height: 480))
        #expect(CVImageBufferGetCleanRect(made) == CGRect(x: 0, y: 0, width: 720, height: 480))
        #expect(CVImageBufferIsFlipped(made))
    }

    /// Apple's own example: 704 × 480 from (8, 0), shown as 640 × 480.
    @Test func `A frame of NTSC DV is cropped and squeezed`() {
        let aperture: [CFString: Any] = [
            kCVImageBufferCleanApertureWidthKey: 704, kCVImageBufferCleanApertureHeightKey: 480,
            kCVImageBufferCleanApertureHorizontalOffsetKey: 0, kCVImageBufferCleanApertureVerticalOffsetKey: 0,
        ]
        let ratio: [CFString: Any] = [
            kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 10,
            kCVImageBufferPixelAspectRatioVerticalSpacingKey: 11,
        ]
        CVBufferSetAttachment(made, kCVImageBufferCleanApertureKey, aperture as CFDictionary, .shouldPropagate)
        CVBufferSetAttachment(made, kCVImageBufferPixelAspectRatioKey, ratio as CFDictionary, .shouldPropagate)
        #expect(CVImageBufferGetEncodedSize(made) == CGSize(width: 720, height: 480))
        #expect(CVImageBufferGetCleanRect(made) == CGRect(x: 8, y: 0, width: 704, height: 480))
        #expect(CVImageBufferGetDisplaySize(made) == CGSize(width: 640, height: 480))
    }

    @Test func `A clean aperture is counted from the lower left corner`() {
        let aperture: [String: Double] = ["Width": 700, "Height": 400, "HorizontalOffset": 5, "VerticalOffset": 30]
        CVBufferSetAttachment(made, kCVImageBufferCleanApertureKey, aperture as CFDictionary, .shouldPropagate)
        #expect(CVImageBufferGetCleanRect(made) == CGRect(x: 15, y: 10, width: 700, height: 400))
    }

    @Test func `Display dimensions take precedence, and malformed attachments are ignored`() {
        CVBufferSetAttachment(made, kCVImageBufferPixelAspectRatioKey, "wide" as CFString, .shouldPropagate)
        CVBufferSetAttachment(
            made, kCVImageBufferCleanApertureKey, ["Width": "wide"] as CFDictionary, .shouldPropagate)
        #expect(CVImageBufferGetDisplaySize(made) == CGSize(width: 720, height: 480))
        CVBufferSetAttachment(
            made, kCVImageBufferDisplayDimensionsKey, ["Width": 854, "Height": 480] as CFDictionary,
            .shouldPropagate)
        #expect(CVImageBufferGetDisplaySize(made) == CGSize(width: 854, height: 480))
    }
}
