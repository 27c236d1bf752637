import Foundation
import Testing

@testable import MediaPreviews

@Suite("Waveforms as data") struct WaveformDataTests {
    /// What readers of audiowaveform's JSON look for.
    private struct Document: Decodable, Equatable {
        var version: Int
        var channels: Int
        var sample_rate: Int
        var samples_per_pixel: Int
        var bits: Int
        var length: Int
        var data: [Int16]
    }

    @Test func `The JSON of a waveform is audiowaveform's to the byte`() throws {
        let wave = Waveform(
            sampleRate: 48000, samplesPerPoint: 512, bits: 8, channels: 2,
            data: [-65, 63, -66, 64, -40, 41, -39, 45, -55, 43, -55, 44])
        #expect(
            String(decoding: wave.json, as: UTF8.self)
                == #"{"version":2,"channels":2,"sample_rate":48000,"samples_per_pixel":512,"bits":8,"length":3,"#
                + #""data":[-65,63,-66,64,-40,41,-39,45,-55,43,-55,44]}"# + "\n")
        let empty = Waveform(sampleRate: 8000, samplesPerPoint: 2, bits: 16, channels: 1, data: [])
        #expect(
            String(decoding: empty.json, as: UTF8.self)
                == #"{"version":2,"channels":1,"sample_rate":8000,"samples_per_pixel":2,"bits":16,"length":0,"data":[]}"#
                + "\n")
    }

    @Test func `All numbers of 16 bits are read back from the JSON of a waveform`() throws {
        let all = (Int16.min...Int16.max).map { $0 }
        let wave = Waveform(sampleRate: 44100, samplesPerPoint: 256, bits: 16, channels: 1, data: all)
        let read = try JSONDecoder().decode(Document.self, from: wave.json)
        #expect(
            read
                == Document(
                    version: 2, channels: 1, sample_rate: 44100, samples_per_pixel: 256, bits: 16, length: 32768,
                    data: all))
    }

    @Test func `The binary form of a waveform of 8 bits has a byte for each value`() {
        let wave = Waveform(sampleRate: 48000, samplesPerPoint: 256, bits: 8, channels: 2, data: [-128, 127, -1, 0])
        #expect(
            Array(wave.dat) == [
                2, 0, 0, 0, 1, 0, 0, 0, 0x80, 0xBB, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0x80, 0x7F, 0xFF, 0,
            ])
    }

    @Test func `The binary form of a waveform of 16 bits has two bytes for each value, the lower first`() {
        let wave = Waveform(
            sampleRate: 44100, samplesPerPoint: 70000, bits: 16, channels: 1, data: [-32768, 32767, -2, 258])
        #expect(
            Array(wave.dat) == [
                2, 0, 0, 0, 0, 0, 0, 0, 0x44, 0xAC, 0, 0, 0x70, 0x11, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0,
                0, 0x80, 0xFF, 0x7F, 0xFE, 0xFF, 2, 1,
            ])
    }
}
