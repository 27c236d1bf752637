// Made by tools/presets of the documents in presets/; a test holds the two together.

/// The presets that come with the library.
enum BuiltInPresets {
    /// Their names, in the order to list them.
    static let names = [
        "passthrough",
        "copy-video-aac",
        "copy-video-opus",
        "copy-audio-h264",
        "copy-audio-hevc",
        "low",
        "medium",
        "high",
        "640x480",
        "960x540",
        "1280x720",
        "1920x1080",
        "3840x2160",
        "hevc-1920x1080",
        "hevc-3840x2160",
        "hevc-high",
        "prores-422",
        "prores-422-hq",
        "prores-422-lt",
        "prores-proxy",
        "prores-4444",
        "dnxhr-hq",
        "m4a",
        "mp3",
        "opus",
        "flac",
        "alac",
        "wav",
        "webm-vp9",
        "webm-av1",
        "hls",
        "gif",
    ]

    /// Their documents by their names.
    static let documents: [String: String] = [
        "passthrough": #"""
        {
          "$schema": "preset.schema.json",
          "name": "passthrough",
          "description": "Everything as it is, in another container or trimmed.",
          "avFoundation": "AVAssetExportPresetPassthrough",
          "fileTypes": [
            "mov", "mp4", "m4v", "mkv", "webm", "3gp", "ts", "avi",
            "m4a", "mka", "mp3", "flac", "ogg", "opus", "wav", "aiff", "aifc", "caf", "ac3", "eac3"
          ],
          "video": { "mode": "passthrough" },
          "audio": { "mode": "passthrough" }
        }

        """#,
        "copy-video-aac": #"""
        {
          "$schema": "preset.schema.json",
          "name": "copy-video-aac",
          "description": "Pictures as they are, sound as AAC.",
          "fileTypes": ["mp4", "mov", "m4v", "mkv", "ts"],
          "video": { "mode": "passthrough" },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 128000, "2": 256000, "6": 576000, "8": 768000 },
            "maximumChannels": 8,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "copy-video-opus": #"""
        {
          "$schema": "preset.schema.json",
          "name": "copy-video-opus",
          "description": "Pictures as they are, sound as Opus.",
          "fileTypes": ["mkv", "webm", "mp4"],
          "video": { "mode": "passthrough" },
          "audio": {
            "mode": "encode",
            "encoder": "libopus",
            "bitRates": { "1": 80000, "2": 128000, "6": 320000, "8": 448000 },
            "options": { "vbr": "on" },
            "maximumChannels": 8
          }
        }

        """#,
        "copy-audio-h264": #"""
        {
          "$schema": "preset.schema.json",
          "name": "copy-audio-h264",
          "description": "Sound as it is, pictures as H.264 that is hard to tell from the source.",
          "fileTypes": ["mp4", "mov", "m4v", "mkv", "ts"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 18 },
            "options": { "preset": "medium", "profile": "high" },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": { "mode": "passthrough" }
        }

        """#,
        "copy-audio-hevc": #"""
        {
          "$schema": "preset.schema.json",
          "name": "copy-audio-hevc",
          "description": "Sound as it is, pictures as HEVC that is hard to tell from the source; HDR stays HDR.",
          "fileTypes": ["mp4", "mov", "m4v", "mkv", "ts"],
          "video": {
            "mode": "encode",
            "encoder": "libx265",
            "pixelFormats": ["yuv420p", "yuv420p10le"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium" },
            "keyframeSeconds": 4,
            "dynamicRange": "source"
          },
          "audio": { "mode": "passthrough" }
        }

        """#,
        "low": #"""
        {
          "$schema": "preset.schema.json",
          "name": "low",
          "description": "H.264 and stereo AAC for previews and slow networks.",
          "avFoundation": "AVAssetExportPresetLowQuality",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 27 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 480, "height": 360 },
            "maximumFrameRate": 30,
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 48000, "2": 80000 },
            "maximumChannels": 2,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "medium": #"""
        {
          "$schema": "preset.schema.json",
          "name": "medium",
          "description": "H.264 and stereo AAC for phones and the web.",
          "avFoundation": "AVAssetExportPresetMediumQuality",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 24 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 960, "height": 720 },
            "maximumFrameRate": 60,
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 80000, "2": 128000 },
            "maximumChannels": 2,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "high": #"""
        {
          "$schema": "preset.schema.json",
          "name": "high",
          "description": "H.264 and AAC at the source's size, hard to tell from the source.",
          "avFoundation": "AVAssetExportPresetHighestQuality",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 18 },
            "options": { "preset": "medium", "profile": "high" },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 128000, "2": 256000, "6": 576000, "8": 768000 },
            "maximumChannels": 8,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "640x480": #"""
        {
          "$schema": "preset.schema.json",
          "name": "640x480",
          "description": "H.264 and AAC within 640 by 480 pixels, standard definition.",
          "avFoundation": "AVAssetExportPreset640x480",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 640, "height": 480 },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "960x540": #"""
        {
          "$schema": "preset.schema.json",
          "name": "960x540",
          "description": "H.264 and AAC within 960 by 540 pixels, a quarter of full HD.",
          "avFoundation": "AVAssetExportPreset960x540",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 960, "height": 540 },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "1280x720": #"""
        {
          "$schema": "preset.schema.json",
          "name": "1280x720",
          "description": "H.264 and AAC within 1280 by 720 pixels, HD.",
          "avFoundation": "AVAssetExportPreset1280x720",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 1280, "height": 720 },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "1920x1080": #"""
        {
          "$schema": "preset.schema.json",
          "name": "1920x1080",
          "description": "H.264 and AAC within 1920 by 1080 pixels, full HD.",
          "avFoundation": "AVAssetExportPreset1920x1080",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 1920, "height": 1080 },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "3840x2160": #"""
        {
          "$schema": "preset.schema.json",
          "name": "3840x2160",
          "description": "H.264 and AAC within 3840 by 2160 pixels, ultra HD.",
          "avFoundation": "AVAssetExportPreset3840x2160",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium", "profile": "high" },
            "maximumSize": { "width": 3840, "height": 2160 },
            "keyframeSeconds": 4,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "hevc-1920x1080": #"""
        {
          "$schema": "preset.schema.json",
          "name": "hevc-1920x1080",
          "description": "HEVC and AAC within 1920 by 1080 pixels; HDR stays HDR.",
          "avFoundation": "AVAssetExportPresetHEVC1920x1080",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx265",
            "pixelFormats": ["yuv420p", "yuv420p10le"],
            "rateControl": { "mode": "constantQuality", "quality": 22 },
            "options": { "preset": "medium" },
            "maximumSize": { "width": 1920, "height": 1080 },
            "keyframeSeconds": 4,
            "dynamicRange": "source"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "hevc-3840x2160": #"""
        {
          "$schema": "preset.schema.json",
          "name": "hevc-3840x2160",
          "description": "HEVC and AAC within 3840 by 2160 pixels; HDR stays HDR.",
          "avFoundation": "AVAssetExportPresetHEVC3840x2160",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx265",
            "pixelFormats": ["yuv420p", "yuv420p10le"],
            "rateControl": { "mode": "constantQuality", "quality": 22 },
            "options": { "preset": "medium" },
            "maximumSize": { "width": 3840, "height": 2160 },
            "keyframeSeconds": 4,
            "dynamicRange": "source"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 96000, "2": 192000, "6": 448000 },
            "maximumChannels": 6,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "hevc-high": #"""
        {
          "$schema": "preset.schema.json",
          "name": "hevc-high",
          "description": "HEVC and AAC at the source's size, hard to tell from the source; HDR stays HDR.",
          "avFoundation": "AVAssetExportPresetHEVCHighestQuality",
          "fileTypes": ["mp4", "mov", "m4v", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libx265",
            "pixelFormats": ["yuv420p", "yuv420p10le"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium" },
            "keyframeSeconds": 4,
            "dynamicRange": "source"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 128000, "2": 256000, "6": 576000, "8": 768000 },
            "maximumChannels": 8,
            "maximumSampleRate": 48000
          }
        }

        """#,
        "prores-422": #"""
        {
          "$schema": "preset.schema.json",
          "name": "prores-422",
          "description": "Apple ProRes 422 and PCM for editing; fields and HDR are kept.",
          "avFoundation": "AVAssetExportPresetAppleProRes422LPCM",
          "fileTypes": ["mov", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "prores_ks",
            "pixelFormats": ["yuv422p10le"],
            "rateControl": { "mode": "encoder" },
            "options": { "profile": "standard", "vendor": "apl0" },
            "dynamicRange": "source",
            "deinterlaces": false
          },
          "audio": { "mode": "encode", "encoder": "pcm_s24le" }
        }

        """#,
        "prores-422-hq": #"""
        {
          "$schema": "preset.schema.json",
          "name": "prores-422-hq",
          "description": "Apple ProRes 422 HQ and PCM for mastering; fields and HDR are kept.",
          "fileTypes": ["mov", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "prores_ks",
            "pixelFormats": ["yuv422p10le"],
            "rateControl": { "mode": "encoder" },
            "options": { "profile": "hq", "vendor": "apl0" },
            "dynamicRange": "source",
            "deinterlaces": false
          },
          "audio": { "mode": "encode", "encoder": "pcm_s24le" }
        }

        """#,
        "prores-422-lt": #"""
        {
          "$schema": "preset.schema.json",
          "name": "prores-422-lt",
          "description": "Apple ProRes 422 LT and PCM for editing with less space; fields and HDR are kept.",
          "fileTypes": ["mov", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "prores_ks",
            "pixelFormats": ["yuv422p10le"],
            "rateControl": { "mode": "encoder" },
            "options": { "profile": "lt", "vendor": "apl0" },
            "dynamicRange": "source",
            "deinterlaces": false
          },
          "audio": { "mode": "encode", "encoder": "pcm_s24le" }
        }

        """#,
        "prores-proxy": #"""
        {
          "$schema": "preset.schema.json",
          "name": "prores-proxy",
          "description": "Apple ProRes 422 Proxy and PCM for offline editing; fields and HDR are kept.",
          "fileTypes": ["mov", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "prores_ks",
            "pixelFormats": ["yuv422p10le"],
            "rateControl": { "mode": "encoder" },
            "options": { "profile": "proxy", "vendor": "apl0" },
            "dynamicRange": "source",
            "deinterlaces": false
          },
          "audio": { "mode": "encode", "encoder": "pcm_s24le" }
        }

        """#,
        "prores-4444": #"""
        {
          "$schema": "preset.schema.json",
          "name": "prores-4444",
          "description": "Apple ProRes 4444 and PCM for editing; transparency, fields and HDR are kept.",
          "avFoundation": "AVAssetExportPresetAppleProRes4444LPCM",
          "fileTypes": ["mov", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "prores_ks",
            "pixelFormats": ["yuva444p10le", "yuv444p10le"],
            "rateControl": { "mode": "encoder" },
            "options": { "profile": "4444", "vendor": "apl0", "alpha_bits": 16 },
            "dynamicRange": "source",
            "deinterlaces": false,
            "keepsAlpha": true
          },
          "audio": { "mode": "encode", "encoder": "pcm_s24le" }
        }

        """#,
        "dnxhr-hq": #"""
        {
          "$schema": "preset.schema.json",
          "name": "dnxhr-hq",
          "description": "Avid DNxHR HQ and PCM for editing.",
          "fileTypes": ["mov"],
          "video": {
            "mode": "encode",
            "encoder": "dnxhd",
            "pixelFormats": ["yuv422p"],
            "rateControl": { "mode": "encoder" },
            "options": { "profile": "dnxhr_hq" },
            "dynamicRange": "standard"
          },
          "audio": { "mode": "encode", "encoder": "pcm_s24le" }
        }

        """#,
        "m4a": #"""
        {
          "$schema": "preset.schema.json",
          "name": "m4a",
          "description": "AAC alone, for music and speech.",
          "avFoundation": "AVAssetExportPresetAppleM4A",
          "fileTypes": ["m4a"],
          "video": { "mode": "none" },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 128000, "2": 256000, "6": 576000, "8": 768000 },
            "maximumChannels": 8,
            "maximumSampleRate": 48000
          },
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
        "mp3": #"""
        {
          "$schema": "preset.schema.json",
          "name": "mp3",
          "description": "MP3 alone, of variable bit rate, for players that know nothing newer.",
          "fileTypes": ["mp3"],
          "video": { "mode": "none" },
          "audio": {
            "mode": "encode",
            "encoder": "libmp3lame",
            "quality": 2,
            "maximumChannels": 2,
            "maximumSampleRate": 48000
          },
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
        "opus": #"""
        {
          "$schema": "preset.schema.json",
          "name": "opus",
          "description": "Opus alone, the best sound for its size.",
          "fileTypes": ["opus", "ogg", "mka"],
          "video": { "mode": "none" },
          "audio": {
            "mode": "encode",
            "encoder": "libopus",
            "bitRates": { "1": 80000, "2": 128000, "6": 320000, "8": 448000 },
            "options": { "vbr": "on" },
            "maximumChannels": 8
          },
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
        "flac": #"""
        {
          "$schema": "preset.schema.json",
          "name": "flac",
          "description": "FLAC alone: sound without any loss, of 16 or 24 bits.",
          "fileTypes": ["flac", "mka"],
          "video": { "mode": "none" },
          "audio": { "mode": "encode", "encoder": "flac" },
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
        "alac": #"""
        {
          "$schema": "preset.schema.json",
          "name": "alac",
          "description": "Apple Lossless alone: sound without any loss, of 16 or 24 bits.",
          "fileTypes": ["m4a", "caf", "mka"],
          "video": { "mode": "none" },
          "audio": { "mode": "encode", "encoder": "alac" },
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
        "wav": #"""
        {
          "$schema": "preset.schema.json",
          "name": "wav",
          "description": "PCM alone, of as many bits as the source has.",
          "fileTypes": ["wav", "mka"],
          "video": { "mode": "none" },
          "audio": { "mode": "encode", "encoder": "pcm" },
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
        "webm-vp9": #"""
        {
          "$schema": "preset.schema.json",
          "name": "webm-vp9",
          "description": "VP9 and Opus for browsers; transparency is kept.",
          "fileTypes": ["webm", "mkv"],
          "video": {
            "mode": "encode",
            "encoder": "libvpx-vp9",
            "pixelFormats": ["yuv420p", "yuva420p"],
            "rateControl": { "mode": "constantQuality", "quality": 31 },
            "options": {
              "deadline": "good",
              "cpu-used": 3,
              "row-mt": 1,
              "tile-columns": 2,
              "lag-in-frames": 25,
              "auto-alt-ref": 1
            },
            "keyframeSeconds": 5,
            "dynamicRange": "standard",
            "keepsAlpha": true
          },
          "audio": {
            "mode": "encode",
            "encoder": "libopus",
            "bitRates": { "1": 80000, "2": 128000, "6": 320000, "8": 448000 },
            "options": { "vbr": "on" },
            "maximumChannels": 8
          }
        }

        """#,
        "webm-av1": #"""
        {
          "$schema": "preset.schema.json",
          "name": "webm-av1",
          "description": "AV1 and Opus for browsers, the smallest files; HDR stays HDR.",
          "fileTypes": ["webm", "mkv", "mp4"],
          "video": {
            "mode": "encode",
            "encoder": "libsvtav1",
            "pixelFormats": ["yuv420p", "yuv420p10le"],
            "rateControl": { "mode": "constantQuality", "quality": 32 },
            "options": { "preset": 8 },
            "parameters": { "tune": 0 },
            "keyframeSeconds": 5,
            "dynamicRange": "source"
          },
          "audio": {
            "mode": "encode",
            "encoder": "libopus",
            "bitRates": { "1": 80000, "2": 128000, "6": 320000, "8": 448000 },
            "options": { "vbr": "on" },
            "maximumChannels": 8
          }
        }

        """#,
        "hls": #"""
        {
          "$schema": "preset.schema.json",
          "name": "hls",
          "description": "A folder for HTTP Live Streaming: H.264 and AAC in segments of about six seconds, and their playlist.",
          "fileTypes": ["m3u8"],
          "video": {
            "mode": "encode",
            "encoder": "libx264",
            "pixelFormats": ["yuv420p"],
            "rateControl": { "mode": "constantQuality", "quality": 20 },
            "options": { "preset": "medium", "profile": "high" },
            "keyframeSeconds": 2,
            "dynamicRange": "standard"
          },
          "audio": {
            "mode": "encode",
            "encoder": "aac",
            "bitRates": { "1": 128000, "2": 256000, "6": 576000, "8": 768000 },
            "maximumChannels": 8,
            "maximumSampleRate": 48000
          },
          "otherTracks": "drop"
        }

        """#,
        "gif": #"""
        {
          "$schema": "preset.schema.json",
          "name": "gif",
          "description": "A GIF without sound, in the 256 colours that fit it best.",
          "fileTypes": ["gif"],
          "video": {
            "mode": "encode",
            "encoder": "gif",
            "pixelFormats": ["pal8"],
            "rateControl": { "mode": "encoder" },
            "maximumSize": { "width": 480, "height": 480 },
            "maximumFrameRate": 15,
            "dynamicRange": "standard",
            "keepsAlpha": true
          },
          "audio": { "mode": "none" },
          "chapters": "drop",
          "subtitles": "drop",
          "otherTracks": "drop"
        }

        """#,
    ]
}
