import Foundation
import Testing

@testable import MediaCore

@Suite struct `Originals of bridged errors` {
    private struct One: Error, Equatable { var number = 1 }
    private struct Other: Error, Equatable { var number = 1 }
    private struct Plain: Error { var number: Int }

    @Test func `Originals of bridged errors are equal if type and value are`() {
        let one = BridgedOriginal(One())
        #expect(one.isEqual(BridgedOriginal(One())))
        #expect(!one.isEqual(BridgedOriginal(One(number: 2))))
        #expect(!one.isEqual(BridgedOriginal(Other())))
        #expect(!one.isEqual(NSNumber(value: 1)) && !one.isEqual(nil))
        #expect(BridgedOriginal(Plain(number: 1)).isEqual(BridgedOriginal(Plain(number: 1))))
        #expect(!BridgedOriginal(Plain(number: 1)).isEqual(BridgedOriginal(Plain(number: 2))))
    }
}
