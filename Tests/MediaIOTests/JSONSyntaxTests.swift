import Foundation
import MediaIO
import Testing

@Suite struct `The first error of a JSON document` {
    @Test(arguments: [
        ("{\"a\": 1}", nil), ("[]", nil), ("{\"a\":\n1,,}", "line 2, column 3"), ("{\n\"a\": [1,\n 2", "its end"),
        ("x", "line 1, column 1"),
    ])
    func `The first error of a JSON document is found with line and column`(_ text: String, _ place: String?) {
        #expect(JSONSyntax.placeOfError(in: Data(text.utf8)) == place)
    }
}
