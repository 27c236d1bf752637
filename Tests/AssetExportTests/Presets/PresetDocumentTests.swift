import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import MediaEngine

/// The folder of documents.
private let folder = Fixture.root.appendingPathComponent("presets")

private func json(_ file: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(file)))
}

@Suite struct `The documents of presets` {
    @Test func `Preset documents in the library are those of the folder, each named once`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.count > 30)
        #expect((BuiltInPresets.names.map { $0 + ".json" } + ["preset.schema.json"]).sorted() == files.sorted())
        #expect(BuiltInPresets.documents.keys.sorted() == BuiltInPresets.names.sorted())
    }

    @Test(arguments: BuiltInPresets.names)
    func `Preset documents have the same text in the library and in the folder`(_ name: String) throws {
        let text = try String(contentsOf: folder.appendingPathComponent(name + ".json"), encoding: .utf8)
        #expect(BuiltInPresets.documents[name] == text, "tools/presets has to be run")
        #expect(try ExportPresetCatalog.builtIn.entry(name).document == text)
    }

    @Test(arguments: BuiltInPresets.names)
    func `Preset documents load, and survive being written`(_ name: String) throws {
        let preset = try ExportPresetCatalog.builtIn.preset(name)
        #expect(preset.name == name)
        #expect(try ExportPreset(json: preset.json()) == preset)
        #expect(preset.description.hasSuffix("."))
    }

    @Test(arguments: BuiltInPresets.names)
    func `Preset documents fit the schema`(_ name: String) throws {
        let schema = JSONSchemaCheck(root: try #require(try json("preset.schema.json") as? [String: Any]))
        #expect(schema.problems(try json(name + ".json")) == [])
    }

    @Test func `Preset documents name only kinds of files that hold their codecs`() throws {
        for name in BuiltInPresets.names {
            let preset = try ExportPresetCatalog.builtIn.preset(name)
            let encoders = [preset.videoEncoding?.encoder, preset.audioEncoding?.encoder].compactMap { $0 }
            let codecs = encoders.compactMap { EncoderTraits.known[$0]?.codec }
            for type in preset.fileTypes {
                let format = try type.containerFormat(holding: codecs)
                for codec in codecs {
                    #expect(format.canHold(codec: codec), "\(name): \(codec) in \(format.container)")
                }
            }
        }
    }

    /// What the schema cannot say is left to the reader; what it says, both say alike.
    @Test(arguments: [
        (#""video": {"mode": "none"}"#, #""video": {"mode": "none", "encoder": "libx264"}"#),
        (#""name": "a""#, #""name": "a b""#),
        (#""name": "a""#, #""name": "a", "nam": 1"#),
        (#""description": "d""#, #""description": """#),
        (#""fileTypes": ["m4a"]"#, #""fileTypes": []"#),
        (#""fileTypes": ["m4a"]"#, #""fileTypes": ["m4a", "m4a"]"#),
        (#""fileTypes": ["m4a"]"#, #""fileTypes": ["exe"]"#),
        (#""encoder": "aac""#, #""encoder": "libx264""#),
        (#""encoder": "aac""#, #""encoder": "aac", "bitRates": {"0": 64000}"#),
        (#""encoder": "aac""#, #""encoder": "aac", "bitRates": {"2": 64}"#),
        (#""encoder": "aac""#, #""encoder": "aac", "maximumChannels": 17"#),
        (#""encoder": "aac""#, #""encoder": "aac", "maximumChannels": "2""#),
        (#""encoder": "aac""#, #""encoder": "aac", "maximumChannels": 1.5"#),
        (#""encoder": "aac""#, #""encoder": "aac", "options": {"a b": 1}"#),
        (#""encoder": "aac""#, #""encoder": "aac", "options": {"a": [1]}"#),
        (#""description": "d""#, #""description": "d", "subtitles": "maybe""#),
        (#""description": "d""#, #""description": "d", "avFoundation": "AVAssetExportPresetNo""#),
        (#""description": "d""#, #""description": "d", "fileLengthLimit": 1"#),
        (#""mode": "none"}"#, #""mode": "none", "rotation": 90}"#),
    ])
    func `Malformed preset documents are refused by schema and reader alike`(_ change: (String, String)) throws {
        let valid = """
            {"name": "a", "description": "d", "fileTypes": ["m4a"], "video": {"mode": "none"},
             "audio": {"mode": "encode", "encoder": "aac"}}
            """
        let schema = JSONSchemaCheck(root: try #require(try json("preset.schema.json") as? [String: Any]))
        #expect(schema.problems(try JSONSerialization.jsonObject(with: Data(valid.utf8))) == [])
        #expect(try ExportPreset(json: Data(valid.utf8)).name == "a")
        let broken = Data(valid.replacingOccurrences(of: change.0, with: change.1).utf8)
        #expect(!schema.problems(try JSONSerialization.jsonObject(with: broken)).isEmpty)
        #expect(throws: ExportPresetError.self) { try ExportPreset(json: broken) }
    }

    @Test(arguments: [
        (#""rotation": 90"#, true), (#""rotation": 45"#, false), (#""rotation": "90""#, false),
        (#""crop": {"x": 0, "y": 2, "width": 16, "height": 16}"#, true),
        (#""crop": {"x": -1, "y": 0, "width": 16, "height": 16}"#, false),
        (#""crop": {"x": 0, "y": 0, "width": 0, "height": 16}"#, false),
        (#""crop": {"x": 0, "y": 0, "width": 16}"#, false),
        (#""crop": {"x": 0, "y": 0, "width": 16, "height": 16, "z": 1}"#, false),
    ])
    func `Crops and rotations in preset documents are checked by schema and reader alike`(
        _ field: String, _ isValid: Bool
    ) throws {
        let text = """
            {"name": "a", "description": "d", "fileTypes": ["mp4"], "audio": {"mode": "none"},
             "video": {"mode": "encode", "encoder": "libx264", "pixelFormats": ["yuv420p"],
                       "rateControl": {"mode": "encoder"}, \(field)}}
            """
        let schema = JSONSchemaCheck(root: try #require(try json("preset.schema.json") as? [String: Any]))
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(schema.problems(document).isEmpty == isValid)
        guard isValid else {
            #expect(throws: ExportPresetError.self) { try ExportPreset(json: Data(text.utf8)) }
            return
        }
        let preset = try ExportPreset(json: Data(text.utf8))
        #expect(try ExportPreset(json: preset.json()) == preset)
    }

    @Test(arguments: BuiltInPresets.names)
    func `Preset documents ask for nothing that encoders and containers cannot do`(_ name: String) throws {
        try ExportPresetCatalog.builtIn.preset(name).checkEncoders()
    }

    @Test func `The schema of preset documents names what the reader knows`() throws {
        let schema = try #require(try json("preset.schema.json") as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        #expect(properties["avFoundation"]?["enum"] as? [String] == AVFoundationPreset.documented.sorted())
        let items = properties["fileTypes"]?["items"] as? [String: Any]
        #expect(items?["enum"] as? [String] == ExportPreset.writableTypeNames)
        for (definition, media) in [("videoEncoding", EncoderTraits.Media.video), ("audioEncoding", .audio)] {
            let fields = definitions[definition]?["properties"] as? [String: [String: Any]]
            #expect(fields?["encoder"]?["enum"] as? [String] == EncoderTraits.names(media))
            if media == .video {
                let formats = (fields?["pixelFormats"]?["items"] as? [String: Any])?["enum"] as? [String]
                #expect(formats == PixelLayout.known.keys.sorted())
            }
        }
    }
}
