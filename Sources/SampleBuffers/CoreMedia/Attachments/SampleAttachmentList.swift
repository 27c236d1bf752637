internal import Foundation
internal import MediaCore

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
