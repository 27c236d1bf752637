import Foundation
import MediaCore
import Testing

@Suite struct `Core Foundation's constants` {
    @Test func `Core Foundation's booleans are what they say`() {
        #expect(kCFBooleanTrue as NSNumber? == NSNumber(value: true))
        #expect(kCFBooleanFalse as NSNumber? == NSNumber(value: false))
    }
}
