internal import Foundation
internal import MediaCore
internal import Synchronization

extension CMSampleBuffer {
    /// The dictionaries of the samples, `nil` if nothing is attached to any and if the buffer is invalid.
    ///
    /// - Parameter createIfNecessary: Whether empty dictionaries are made if nothing is attached.
    func sampleAttachmentList(createIfNecessary: Bool) -> SampleAttachmentList? {
        let state = now
        guard state.isValid else { return nil }
        if let list = state.sampleAttachments { return list }
        let made = state.dependencies.map(\.attachments)
        guard createIfNecessary || made.contains(where: { $0.count > 0 }) else { return nil }
        let list = made.isEmpty ? SampleAttachmentList(count: count) : SampleAttachmentList(made)
        // The first list counts: somebody may write to it already.
        try? change { state throws(CoreMediaFailure) in
            if state.sampleAttachments == nil { state.sampleAttachments = list }
        }
        return now.sampleAttachments
    }

    /// What is attached to the samples, one dictionary for each.
    ///
    /// Setting it attaches what the other buffer's samples have, as far as there are as many.
    public var sampleAttachments: SampleAttachmentsArray {
        get { SampleAttachmentsArray(buffer: self) }
        set {
            guard newValue.buffer !== self else { return }
            for (index, other) in zip(0..<count, newValue) { PerSampleAttachmentsDictionary(self, index).copy(other) }
        }
    }

    /// What is attached to the samples of a buffer: changes show, and are made, at the samples.
    public struct SampleAttachmentsArray: RandomAccessCollection {
        let buffer: CMSampleBuffer

        /// Which sample it is.
        public typealias Index = Int
        /// 0.
        public var startIndex: Int { 0 }
        /// How many samples there are.
        public var endIndex: Int { buffer.count }

        /// What is attached to a sample.
        ///
        /// Setting it attaches what another sample has.
        ///
        /// - Parameter index: From 0 to less than the count. For others there is nothing, and nothing is attached.
        public subscript(index: Int) -> PerSampleAttachmentsDictionary {
            get { PerSampleAttachmentsDictionary(buffer, index) }
            set { PerSampleAttachmentsDictionary(buffer, index).copy(newValue) }
        }
    }

    /// What is attached to a sample: changes show, and are made, at the sample.
    ///
    /// - Note: Unlike Core Media's: threads may read and write by these at once; the dictionaries of
    ///   ``CMSampleBufferGetSampleAttachmentsArray(_:createIfNecessary:)`` are for one at a time.
    public struct PerSampleAttachmentsDictionary: Sequence {
        private let buffer: CMSampleBuffer
        private let index: Int

        init(_ buffer: CMSampleBuffer, _ index: Int) { (self.buffer, self.index) = (buffer, index) }

        /// What is attached by a key; setting nil lets go of it.
        public subscript(key: Key) -> Any? {
            get { buffer.sampleAttachment(key.rawValue, at: index) }
            set { buffer.attach(newValue, key.rawValue, toSampleAt: index) }
        }

        /// All that is attached, in no order.
        public func makeIterator() -> IndexingIterator<[(key: Key, value: Any)]> {
            buffer.sampleAttachments(at: index).map { (key: Key(rawValue: $0), value: $1) }.makeIterator()
        }

        /// Attaches what another sample has in place of what there is.
        fileprivate func copy(_ other: PerSampleAttachmentsDictionary) {
            guard other.buffer !== buffer || other.index != index else { return }
            let new = Array(other)
            for (key, _) in self { buffer.attach(nil, key.rawValue, toSampleAt: index) }
            for (key, value) in new { buffer.attach(value, key.rawValue, toSampleAt: index) }
        }
    }
}

extension CMSampleBuffer {
    /// What is attached to a sample by a key.
    fileprivate func sampleAttachment(_ key: CFString, at index: Int) -> Any? {
        guard let dictionary = dictionary(at: index, createIfNecessary: false) else { return nil }
        return attachmentLock.withLock { _ in Handed(value: dictionary.object(forKey: key)) }.value
    }

    /// All that is attached to a sample.
    fileprivate func sampleAttachments(at index: Int) -> [(CFString, Any)] {
        guard let dictionary = dictionary(at: index, createIfNecessary: false) else { return [] }
        let pairs = attachmentLock.withLock { _ in Handed(value: dictionary.map { (textKey($0.key), $0.value) }) }
        return pairs.value
    }

    /// Attaches an object to a sample by a key, in place of what was there; `nil` lets go of it.
    fileprivate func attach(_ value: Any?, _ key: CFString, toSampleAt index: Int) {
        guard let dictionary = dictionary(at: index, createIfNecessary: value != nil) else { return }
        let object = value.map { dictionaryObject($0) }
        // What is replaced goes after the lock: its end may be anybody's code.
        let old = attachmentLock.withLock { _ in
            let old = Handed(value: dictionary.object(forKey: key))
            if let object { dictionary.setObject(object, forKey: key) } else { dictionary.removeObject(forKey: key) }
            return old
        }
        withExtendedLifetime(old) {}
    }

    private func dictionary(at index: Int, createIfNecessary: Bool) -> NSMutableDictionary? {
        guard (0..<count).contains(index) else { return nil }
        return sampleAttachmentList(createIfNecessary: createIfNecessary)?.dictionaries[index]
    }
}

/// What is handed out of a lock.
///
/// `@unchecked Sendable`: what clients attach is theirs to share between threads, as in Core Media.
private struct Handed<Value>: @unchecked Sendable {
    let value: Value
}

/// The dictionaries of a buffer's samples, as a list that gives them out as they are.
///
/// Foundation's own lists give out copies for Linux: what clients write to would not be what is attached.
final class SampleAttachmentList: NSArray {
    /// One for each sample.
    let dictionaries: [NSMutableDictionary]

    init(_ dictionaries: [NSMutableDictionary]) {
        self.dictionaries = dictionaries
        super.init(objects: UnsafePointer<AnyObject>?.none, count: 0)
    }

    /// A list of empty dictionaries.
    convenience init(count: Int) { self.init((0..<count).map { _ in NSMutableDictionary() }) }

    required init?(coder: NSCoder) { nil }
    required convenience init(objects: UnsafePointer<AnyObject>?, count: Int) { self.init([]) }
    required convenience init(arrayLiteral elements: Any...) { self.init([]) }

    override var count: Int { dictionaries.count }
    override func object(at index: Int) -> Any { dictionaries[index] }

    /// Another list of the same objects for a range of samples.
    func copy(of range: Range<Int>) -> SampleAttachmentList {
        SampleAttachmentList(
            dictionaries[range].map { dictionary in
                let copy = NSMutableDictionary()
                for (key, value) in dictionary { copy.setObject(value, forKey: textKey(key)) }
                return copy
            })
    }
}

/// What a file says of a sample, from which its attachments follow.
package struct SampleDependency: Hashable, Sendable {
    /// Whether decoding can start with the sample.
    var isSync = true
    /// Whether decoding can start with the sample but not show all that follows.
    var isPartialSync = false
    /// Whether the sample needs others, `nil` if it is not known.
    var dependsOnOthers: Bool?
    /// Whether others need the sample, `nil` if it is not known.
    var isDependedOnByOthers: Bool?
    /// Whether the sample is coded more than once, `nil` if it is not known.
    var hasRedundantCoding: Bool?
    /// Whether the sample is decoded and not shown.
    var isHidden = false

    package init(
        isSync: Bool = true, isPartialSync: Bool = false, dependsOnOthers: Bool? = nil,
        isDependedOnByOthers: Bool? = nil, hasRedundantCoding: Bool? = nil, isHidden: Bool = false
    ) {
        (self.isSync, self.isPartialSync, self.dependsOnOthers) = (isSync, isPartialSync, dependsOnOthers)
        (self.isDependedOnByOthers, self.hasRedundantCoding) = (isDependedOnByOthers, hasRedundantCoding)
        self.isHidden = isHidden
    }

    /// What is attached to the sample: only what Core Media would not take to be so without it.
    var attachments: NSMutableDictionary {
        let dictionary = NSMutableDictionary()
        func attach(_ flag: Bool?, _ key: CFString) {
            if let flag { dictionary.setObject(NSNumber(value: flag), forKey: key) }
        }
        attach(isSync ? nil : true, kCMSampleAttachmentKey_NotSync)
        attach(isPartialSync ? true : nil, kCMSampleAttachmentKey_PartialSync)
        attach(dependsOnOthers, kCMSampleAttachmentKey_DependsOnOthers)
        attach(isDependedOnByOthers, kCMSampleAttachmentKey_IsDependedOnByOthers)
        attach(hasRedundantCoding, kCMSampleAttachmentKey_HasRedundantCoding)
        attach(isHidden ? true : nil, kCMSampleAttachmentKey_DoNotDisplay)
        return dictionary
    }
}
