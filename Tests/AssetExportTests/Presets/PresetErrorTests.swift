import AssetExport
import Foundation
import MediaAsset
import MediaEngine
import MediaTestSupport
import Testing

/// A change of the document of `1920x1080`, and the error that it has to cause.
struct BrokenDocument: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let message: String
    var testDescription: String { new }

    init(_ old: String, _ new: String, _ message: String) { (self.old, self.new, self.message) = (old, new, message) }

    static let all = [
        BrokenDocument(#""keyframeSeconds""#, #""keyFrameSeconds""#, "video.keyFrameSeconds: there is no such key; "),
        BrokenDocument(
            #""quality": 20"#, #""quality": 52"#, "video.rateControl.quality: must be from 0 to 51"),
        BrokenDocument(#""quality": 20"#, #""quality": "20""#, "video.rateControl.quality: must be a number"),
        BrokenDocument(#""quality": 20"#, #""qp": 20"#, "video.rateControl.qp: there is no such key; "),
        BrokenDocument(
            #""mode": "constantQuality", "quality": 20"#, #""mode": "bitRate""#,
            "video.rateControl.bitRate: is missing"),
        BrokenDocument(
            #""mode": "constantQuality", "quality": 20"#, #""mode": "bitRate", "bitRate": 1"#,
            "video.rateControl.bitRate: must be from 10000 to 1000000000"),
        BrokenDocument(
            #""mode": "constantQuality""#, #""mode": "best""#,
            "video.rateControl.mode: must be one of constantQuality, bitRate, encoder"),
        BrokenDocument(
            #""encoder": "libx264""#, #""encoder": "prores_ks""#,
            "video.rateControl.mode: the encoder has no constant quality"),
        BrokenDocument(#""encoder": "libx264""#, #""encoder": "x264""#, "video.encoder: must be one of dnxhd, ffv1, "),
        BrokenDocument(#""width": 1920"#, #""width": 0"#, "video.maximumSize.width: must be from 2 to 16384"),
        BrokenDocument(#", "height": 1080"#, "", "video.maximumSize.height: is missing"),
        BrokenDocument(
            #""preset": "medium""#, #""stats": "x""#, "video.options.stats: options that name files are not allowed"),
        BrokenDocument(
            #""preset": "medium""#, #""x264-params": "dump-yuv=x""#,
            "video.options.x264-params: options that name files are not allowed"),
        BrokenDocument(
            #""preset": "medium""#, #""preset": "/etc/passwd""#,
            "video.options.preset: a value is made of letters, digits and _-.,+=:()"),
        BrokenDocument(#""preset": "medium""#, #""crf": 1"#, "video.options.crf: a field of its own says this"),
        BrokenDocument(
            #""keyframeSeconds": 4"#, #""keyframeSeconds": 4, "parameters": {"a": "1:csv=b"}"#,
            "video.parameters.a: a value is made of letters, digits and _-.,+()"),
        BrokenDocument(#"["yuv420p"]"#, #"["yuv420"]"#, "video.pixelFormats: must be of gbrp, gbrp10le, pal8, "),
        BrokenDocument(
            #""keyframeSeconds": 4"#, #""keepsAlpha": true"#, "video.keepsAlpha: none of pixelFormats has alpha"),
        BrokenDocument(
            #""dynamicRange": "standard""#, #""dynamicRange": "hdr""#, "video.dynamicRange: must be one of "),
        BrokenDocument(
            #""maximumChannels": 6"#, #""quality": 2"#,
            "audio.quality: aac has no scale of quality; bitRates says how many bits"),
        BrokenDocument(#""2": 192000"#, #""two": 192000"#, "audio.bitRates.two: the number of channels must be "),
        BrokenDocument(#""name": "1920x1080""#, #""name": "../x""#, "name: must be letters, digits, "),
        BrokenDocument(#""name": "1920x1080","#, "", "name: is missing"),
        BrokenDocument(#""fileTypes": ["mp4","#, #""fileTypes": ["heic","#, "fileTypes: must be of 3gp, ac3, "),
        BrokenDocument(#""audio": {"#, #""audio": ["#, "is not JSON: "),
    ]
}

@Suite struct `A broken preset` {
    @Test(arguments: BrokenDocument.all)
    func `A broken preset is refused in one line with the file, the key and what is allowed`(
        _ broken: BrokenDocument
    ) throws {
        let document = try ExportPresetCatalog.builtIn.entry("1920x1080").document
        let text = document.replacingOccurrences(of: broken.old, with: broken.new)
        try #require(text != document)
        let folder = try TemporaryFolder()
        let path = folder.path("mine.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let error = try #require(throws: ExportPresetError.self) { try ExportPresetCatalog.builtIn.preset(path) }
        let message = error.localizedDescription
        #expect(message.hasPrefix("\(path): \(broken.message)"), "\(message)")
        #expect(!message.contains("\n"))
        #expect(error.kind == .invalid)
    }

    @Test func `A broken preset is refused if it is no text, too large or missing`() throws {
        let folder = try TemporaryFolder()
        try Data([0x7b, 0xff, 0x7d]).write(to: URL(fileURLWithPath: folder.path("a.json")))
        try Data(repeating: 0x20, count: 2 << 20).write(to: URL(fileURLWithPath: folder.path("b.json")))
        for (file, kind, text) in [
            ("a.json", ExportPresetError.Kind.invalid, "is not UTF-8 text"),
            ("b.json", .invalid, "a preset has 1048576 bytes at most"), ("c.json", .noSuchFile, "no such file"),
        ] {
            let path = folder.path(file)
            let error = try #require(throws: ExportPresetError.self) { try ExportPresetCatalog.builtIn.preset(path) }
            #expect(error.kind == kind)
            #expect(error.localizedDescription == "\(path): \(text)")
        }
        let error = try #require(throws: ExportPresetError.self) {
            try ExportPresetCatalog.builtIn.preset(folder.path + "/")
        }
        #expect(error.kind == .unreadable)
    }
}

@Suite struct `A name` {
    private func mine(_ name: String, in folder: TemporaryFolder, as file: String) throws {
        let text = try ExportPresetCatalog.builtIn.entry("low").document
            .replacingOccurrences(of: #""name": "low""#, with: #""name": "\#(name)""#)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(file)))
    }

    @Test func `A preset's name is looked up in the user's folder before the library`() throws {
        let folder = try TemporaryFolder()
        try mine("low", in: folder, as: "low.json")
        try mine("mine", in: folder, as: "mine.json")
        let catalog = ExportPresetCatalog(folders: [folder.path])
        #expect(try catalog.entry("low").path == folder.path("low.json"))
        #expect(try catalog.entry("mine").path == folder.path("mine.json"))
        #expect(try catalog.entry("medium").path == nil)
        #expect(catalog.names == ExportPresetCatalog.builtIn.names + ["mine"])
        #expect(try ExportPresetCatalog.builtIn.entry("low").path == nil)
    }

    @Test func `A preset's name has to be that of its file`() throws {
        let folder = try TemporaryFolder()
        try mine("other", in: folder, as: "mine.json")
        let error = try #require(throws: ExportPresetError.self) {
            try ExportPresetCatalog(folders: [folder.path]).preset("mine")
        }
        #expect(error.localizedDescription == "\(folder.path("mine.json")): name: must be mine, as the file is called")
    }

    @Test func `A misspelt preset name is an error that suggests the right one`() throws {
        let error = try #require(throws: ExportPresetError.self) { try ExportPresetCatalog.builtIn.preset("hevc-192") }
        #expect(error.localizedDescription == "there is no preset hevc-192: do you mean hevc-1920x1080?")
    }

    @Test(arguments: ["", "no-such"])
    func `An unknown preset name is an error that lists the names`(_ name: String) throws {
        let error = try #require(throws: ExportPresetError.self) { try ExportPresetCatalog.builtIn.preset(name) }
        #expect(error.kind == .unknownName)
        #expect(error.localizedDescription.contains("low, medium, high"))
    }

    @Test func `AVFoundation's preset names stand for ours`() throws {
        func stands(_ name: String) throws -> ExportPreset { try ExportPresetCatalog.builtIn.preset(name) }
        #expect(try stands(AVAssetExportPresetLowQuality).name == "low")
        #expect(try stands(AVAssetExportPresetPassthrough).name == "passthrough")
        for name in ExportPresetCatalog.builtIn.names {
            let preset = try stands(name)
            if let other = preset.avFoundationName { #expect(try stands(other) == preset) }
        }
        let large = try stands(AVAssetExportPresetHEVC7680x4320)
        #expect(large.videoEncoding?.maximumSize == .init(width: 7680, height: 4320))
        #expect(large.name == AVAssetExportPresetHEVC7680x4320)
        #expect(try stands(AVAssetExportPresetAppleM4V720pHD).fileTypes == [.m4v])
    }

    @Test(arguments: [AVAssetExportPresetHEVCHighestQualityWithAlpha, AVAssetExportPresetMVHEVC960x960])
    func `AVFoundation's preset names that are unavailable are refused with the reason`(_ name: String) throws {
        let error = try #require(throws: ExportPresetError.self) { try ExportPresetCatalog.builtIn.preset(name) }
        #expect(error.kind == .unavailable)
        #expect(error.localizedDescription.hasPrefix("the preset \(name) is not available: there is no encoder of "))
    }
}
