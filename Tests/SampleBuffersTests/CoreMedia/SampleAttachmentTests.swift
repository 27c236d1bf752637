import Foundation
import MediaCore
import SampleBuffers
import Testing

/// What is attached to single samples.
struct SampleAttachmentTests {
    @Test func `Attachments of samples have no list until one is asked for, and then always the same`() throws {
        let buffer = try samples([1, 2])
        #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) == nil)
        #expect(buffer.sampleAttachments[0][.notSync] == nil)
        #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) == nil)
        let list = try #require(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true))
        #expect(list.count == 2)
        #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) === list)
    }

    @Test func `Values written to a sample's dictionary are attached`() throws {
        let buffer = try samples([1, 2])
        let dictionaries = try #require(
            CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true) as? [NSMutableDictionary])
        dictionaries[1][kCMSampleAttachmentKey_DisplayImmediately] = true
        #expect(buffer.sampleAttachments[1][.displayImmediately] as? Bool == true)
        #expect(buffer.sampleAttachments[0][.displayImmediately] == nil)
        let list = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
        (list?[0] as? NSMutableDictionary)?.setObject(
            kCFBooleanTrue as NSNumber, forKey: kCMSampleAttachmentKey_NotSync)
        let copies = try #require(list as? [[CFString: Any]])
        #expect(copies[0][kCMSampleAttachmentKey_NotSync] as? Bool == true)
        let byText = try #require(list as? [[String: Any]])
        #expect(byText[1]["DisplayImmediately"] as? Bool == true)
    }

    @Test func `Swift's form of sample attachments writes to the same dictionaries`() throws {
        let buffer = try samples([1, 2, 3])
        buffer.sampleAttachments[2][.dependsOnOthers] = true
        buffer.sampleAttachments[2][.notSync] = true
        let list = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false)
        #expect((list?[2] as? NSMutableDictionary)?.count == 2)
        buffer.sampleAttachments[2][.notSync] = nil
        #expect((list?[2] as? NSMutableDictionary)?.count == 1)
        #expect(buffer.sampleAttachments.map { Array($0).count } == [0, 0, 1])
        #expect(buffer.sampleAttachments.last.flatMap { Array($0).first?.key } == .dependsOnOthers)
        buffer.sampleAttachments[0] = buffer.sampleAttachments[2]
        #expect(buffer.sampleAttachments[0][.dependsOnOthers] as? Bool == true)
        #expect(buffer.sampleAttachments[3][.notSync] == nil)
        buffer.sampleAttachments[3][.notSync] = true
        buffer.sampleAttachments[-1][.notSync] = true
        #expect(buffer.sampleAttachments.count == 3)
    }

    @Test func `Attachments of another buffer's samples are taken over`() throws {
        let (one, other) = (try samples([1, 2]), try samples([1]))
        one.sampleAttachments[0][.notSync] = true
        one.sampleAttachments[1][.notSync] = false
        other.sampleAttachments[0][.doNotDisplay] = true
        one.sampleAttachments = other.sampleAttachments
        #expect(one.sampleAttachments[0][.notSync] == nil)
        #expect(one.sampleAttachments[0][.doNotDisplay] as? Bool == true)
        #expect(one.sampleAttachments[1][.notSync] as? Bool == false)
    }

    @Test func `Dependencies of samples in a file are attached`() throws {
        let buffer = try CMSampleBuffer(
            packet: try block([1, 2]), format: nil, count: 2, timings: [], sizes: [1],
            dependencies: [
                SampleDependency(dependsOnOthers: false),
                SampleDependency(isSync: false, dependsOnOthers: true, isDependedOnByOthers: false, isHidden: true),
            ])
        let list = try #require(
            CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) as? [[String: Bool]])
        #expect(list[0] == ["DependsOnOthers": false])
        #expect(
            list[1] == [
                "NotSync": true, "DependsOnOthers": true, "IsDependedOnByOthers": false, "DoNotDisplay": true,
            ])
        let part = try CMSampleBuffer(copying: buffer, forRange: 1..<2)
        #expect(part.sampleAttachments[0][.notSync] as? Bool == true)
    }

    @Test func `A file without dependencies attaches nothing to samples`() throws {
        let buffer = try CMSampleBuffer(
            packet: try block([1]), format: nil, timings: [], sizes: [1], dependencies: [SampleDependency()])
        #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) == nil)
        #expect(throws: CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)) {
            try CMSampleBuffer(
                packet: try block([1]), format: nil, timings: [], sizes: [1],
                dependencies: [SampleDependency(), SampleDependency()])
        }
    }

    @Test func `Threads may write attachments to one sample`() async throws {
        let buffer = try samples([1])
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let key = CMSampleBuffer.PerSampleAttachmentsDictionary.Key(rawValue: "\(index)" as CFString)
                    buffer.sampleAttachments[0][key] = index
                    buffer.sampleAttachments[0][.notSync] = index.isMultiple(of: 2) ? true : nil
                    _ = Array(buffer.sampleAttachments[0])
                }
            }
        }
        let keys = Set(buffer.sampleAttachments[0].map { String(describing: $0.key.rawValue) })
        #expect(keys.isSuperset(of: (0..<64).map { "\($0)" }))
    }

    @Test func `Keys of sample attachments have Core Media's values`() {
        #expect(kCMSampleAttachmentKey_NotSync as String == "NotSync")
        #expect(kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess as String == "HEVCTemporalSubLayerAccess")
        #expect(kCMSampleBufferAttachmentKey_TrimDurationAtStart as String == "TrimDurationAtStart")
        #expect(CMSampleBuffer.AttachmentKey.emptyMedia.rawValue == "EmptyMedia")
        #expect(
            CMSampleBuffer.PerSampleAttachmentsDictionary.Key.hevcTemporalLevelInfo.rawValue == "HEVCTemporalLevelInfo")
        #expect(kCMSampleBufferError_DataCanceled == -16751)
        #expect(CMSampleBuffer.Error.cannotSubdivide == NSError(domain: NSOSStatusErrorDomain, code: -12739))
    }
}
