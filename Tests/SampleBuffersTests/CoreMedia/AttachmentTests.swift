import Foundation
import MediaCore
import SampleBuffers
import Testing

/// What is attached to buffers of all kinds.
struct AttachmentTests {
    private static func bearers() throws -> [CMAttachmentBearer] { [try samples([1]), try block([1]), try picture()] }

    @Test func `An attachment is found by its key, with its mode, until it is removed`() throws {
        for bearer in try Self.bearers() {
            var mode: CMAttachmentMode = 7
            #expect(CMGetAttachment(bearer, key: "key" as CFString, attachmentModeOut: &mode) == nil)
            #expect(mode == 7)
            CMSetAttachment(
                bearer, key: "key" as CFString, value: "one" as CFString,
                attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
            CMSetAttachment(
                bearer, key: "key" as CFString, value: "other" as CFString,
                attachmentMode: kCMAttachmentMode_ShouldPropagate)
            #expect(CMGetAttachment(bearer, key: "key" as CFString, attachmentModeOut: &mode) as? String == "other")
            #expect(mode == kCMAttachmentMode_ShouldPropagate)
            CMRemoveAttachment(bearer, key: "key" as CFString)
            #expect(CMGetAttachment(bearer, key: "key" as CFString, attachmentModeOut: nil) == nil)
            CMSetAttachment(bearer, key: "key" as CFString, value: kCFBooleanTrue, attachmentMode: 0)
            CMSetAttachment(bearer, key: "key" as CFString, value: nil, attachmentMode: 0)
            #expect(CMGetAttachment(bearer, key: "key" as CFString, attachmentModeOut: nil) == nil)
        }
    }

    @Test func `Attachments of a dictionary are set together, and read by mode`() throws {
        for bearer in try Self.bearers() {
            let values: [CFString: Any] = ["number": 2.5, "text": "a", "list": [1, 2]]
            CMSetAttachments(
                bearer, attachments: values as CFDictionary, attachmentMode: kCMAttachmentMode_ShouldPropagate)
            CMSetAttachment(bearer, key: "own" as CFString, value: 1 as NSNumber, attachmentMode: 0)
            let all = CMCopyDictionaryOfAttachments(
                allocator: nil, target: bearer, attachmentMode: kCMAttachmentMode_ShouldPropagate)
            #expect(all?.count == 3)
            #expect((all as? [String: Any])?["number"] as? Double == 2.5)
            #expect(
                CMCopyDictionaryOfAttachments(allocator: nil, target: bearer, attachmentMode: 0)?.count == 1)
            #expect(CMCopyDictionaryOfAttachments(allocator: nil, target: bearer, attachmentMode: 5) == nil)
            CMRemoveAllAttachments(bearer)
            #expect(CMCopyDictionaryOfAttachments(allocator: nil, target: bearer, attachmentMode: 1) == nil)
        }
    }

    @Test func `Attachments that should propagate go from any kind of buffer to any other`() throws {
        for source in try Self.bearers() {
            CMSetAttachment(source, key: "goes" as CFString, value: "along" as CFString, attachmentMode: 1)
            CMSetAttachment(source, key: "stays" as CFString, value: "here" as CFString, attachmentMode: 0)
            for destination in try Self.bearers() {
                CMSetAttachment(destination, key: "own" as CFString, value: "kept" as CFString, attachmentMode: 0)
                CMPropagateAttachments(source, destination: destination)
                var mode: CMAttachmentMode = 0
                #expect(
                    CMGetAttachment(destination, key: "goes" as CFString, attachmentModeOut: &mode) as? String
                        == "along")
                #expect(mode == 1)
                #expect(CMGetAttachment(destination, key: "stays" as CFString, attachmentModeOut: nil) == nil)
                #expect(
                    CMGetAttachment(destination, key: "own" as CFString, attachmentModeOut: nil) as? String == "kept")
            }
        }
    }

    @Test func `Objects that bear no attachments are left alone`() {
        let text: CMAttachmentBearer = "text" as CFString
        CMSetAttachment(text, key: "key" as CFString, value: kCFBooleanTrue, attachmentMode: 1)
        #expect(CMGetAttachment(text, key: "key" as CFString, attachmentModeOut: nil) == nil)
        CMRemoveAllAttachments(text)
    }

    @Test func `Pixel buffers have their Core Video attachments in Core Media`() throws {
        let buffer = try picture()
        CVBufferSetAttachment(
            buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        #expect(
            CMGetAttachment(buffer, key: kCVImageBufferYCbCrMatrixKey, attachmentModeOut: nil) as? String
                == "ITU_R_709_2")
        buffer.attachments["colour"] = .shouldNotPropagate("red")
        #expect(CVBufferCopyAttachment(buffer, "colour" as CFString, nil) as? String == "red")
    }

    @Test func `Swift's form of attachments reads and writes the object's own`() throws {
        let buffer = try samples([1])
        let attachments = buffer.attachments
        attachments[.forceKeyFrame] = .shouldPropagate(true)
        #expect(buffer.attachments[.forceKeyFrame]?.value as? Bool == true)
        #expect(buffer.attachments[.forceKeyFrame]?.mode == .shouldPropagate)
        #expect(buffer.attachments["ForceKeyFrame"] != nil)
        attachments.merge(["a": 1, "b": CGFloat(2)], mode: .shouldNotPropagate)
        #expect(attachments.nonPropagated.count == 2)
        #expect(attachments.nonPropagated["b"] as? Double == 2)
        #expect(attachments.propagated.keys.sorted() == ["ForceKeyFrame"])
        let other = try block([1])
        buffer.propagateAttachments(to: other)
        #expect(other.attachments.propagated.count == 1)
        attachments["a"] = nil
        #expect(buffer.attachments["a"] == nil)
        attachments.removeAll()
        #expect(buffer.attachments.nonPropagated.isEmpty)
    }

    @Test func `Attachments are released with their buffer`() throws {
        final class Witness {}
        weak var seen: Witness?
        do {
            let buffer = try samples([1])
            let witness = Witness()
            seen = witness
            CMSetAttachment(buffer, key: "witness" as CFString, value: witness, attachmentMode: 0)
        }
        #expect(seen == nil)
    }

    @Test func `Threads may attach and remove at once`() async throws {
        let buffer = try samples([1])
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<32 {
                group.addTask {
                    buffer.attachments["own\(index)"] = .shouldPropagate(index)
                    buffer.attachments["common"] = index.isMultiple(of: 2) ? .shouldPropagate(index) : nil
                    CMPropagateAttachments(buffer, destination: buffer)
                }
            }
        }
        for index in 0..<32 { #expect(buffer.attachments["own\(index)"]?.value as? Int == index) }
    }
}
