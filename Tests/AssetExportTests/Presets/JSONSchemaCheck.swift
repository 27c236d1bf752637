import Foundation

/// Checks a document against a JSON Schema, as far as the keywords go that the
/// schema of presets uses; any other keyword is a problem too.
struct JSONSchemaCheck {
    let root: [String: Any]

    /// What is wrong with a value, as `place: cause`.
    func problems(_ value: Any) -> [String] { problems(value, root, at: "$") }

    private func problems(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        schema.sorted { $0.key < $1.key }.flatMap { keyword, rule -> [String] in
            switch keyword {
            case "$schema", "$defs", "title", "description", "default", "required", "additionalProperties": []
            case "$ref": problems(value, definition(rule), at: place)
            case "type": isOf(rule, value) ? [] : ["\(place): is not of type \(rule)"]
            case "const": isEqual(value, rule) ? [] : ["\(place): is not \(rule)"]
            case "enum":
                ((rule as? [Any]) ?? []).contains { isEqual(value, $0) } ? [] : ["\(place): is none of \(rule)"]
            case "anyOf":
                ((rule as? [[String: Any]]) ?? []).contains { problems(value, $0, at: place).isEmpty }
                    ? [] : ["\(place): fits nothing of anyOf"]
            case "properties": objectProblems(value, schema, at: place)
            case "propertyNames": nameProblems(value, rule, schema, at: place)
            case "items":
                ((value as? [Any]) ?? []).enumerated().flatMap {
                    problems($1, rule as? [String: Any] ?? [:], at: "\(place)[\($0)]")
                }
            case "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "uniqueItems":
                fits(value, keyword, rule) ? [] : ["\(place): \(keyword) \(rule)"]
            default: ["\(place): the schema has the unknown keyword \(keyword)"]
            }
        }
    }

    private func definition(_ reference: Any) -> [String: Any] {
        let name = (reference as? String)?.components(separatedBy: "/").last ?? ""
        return (root["$defs"] as? [String: Any])?[name] as? [String: Any] ?? ["enum": []]
    }

    private func objectProblems(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
        guard let object = value as? [String: Any], let known = schema["properties"] as? [String: Any] else {
            return []
        }
        let required = schema["required"] as? [String] ?? []
        var result = required.filter { object[$0] == nil }.map { "\(place): lacks \($0)" }
        for (key, value) in object {
            if let rule = known[key] as? [String: Any] {
                result += problems(value, rule, at: "\(place).\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                result.append("\(place): has the unknown key \(key)")
            }
        }
        return result
    }

    private func nameProblems(_ value: Any, _ rule: Any, _ schema: [String: Any], at place: String) -> [String] {
        guard let object = value as? [String: Any] else { return [] }
        let each = schema["additionalProperties"] as? [String: Any] ?? [:]
        return object.flatMap { key, value in
            problems(key, rule as? [String: Any] ?? [:], at: "\(place), the name \(key)")
                + problems(value, each, at: "\(place).\(key)")
        }
    }

    private func isOf(_ rule: Any, _ value: Any) -> Bool {
        let names = (rule as? [String]) ?? [rule as? String ?? ""]
        let isFlag = value is Bool && "\(type(of: value))".contains("Bool")
        return names.contains { name in
            switch name {
            case "object": value is [String: Any]
            case "array": value is [Any]
            case "string": value is String
            case "boolean": isFlag
            case "number": !isFlag && value is Double
            case "integer": !isFlag && (value as? Double).map { $0 == $0.rounded() } == true
            default: false
            }
        }
    }

    private func isEqual(_ left: Any, _ right: Any) -> Bool { (left as? NSObject) == (right as? NSObject) }

    private func fits(_ value: Any, _ keyword: String, _ rule: Any) -> Bool {
        let bound = rule as? Double ?? 0
        switch (keyword, value) {
        case ("pattern", let text as String):
            return text.range(of: rule as? String ?? "", options: .regularExpression) != nil
        case ("minLength", let text as String): return Double(text.count) >= bound
        case ("maxLength", let text as String): return Double(text.count) <= bound
        case ("minItems", let list as [Any]): return Double(list.count) >= bound
        case ("uniqueItems", let list as [Any]): return Set(list.compactMap { $0 as? String }).count == list.count
        case ("minimum", let number as Double): return number >= bound
        case ("maximum", let number as Double): return number <= bound
        default: return true
        }
    }
}
