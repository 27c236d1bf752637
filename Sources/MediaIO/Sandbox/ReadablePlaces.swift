internal import Foundation

/// What a worker's libraries read by themselves.
package enum ReadablePlaces {
    /// Libraries, fonts, and what tells of the machine.
    private static let usual = [
        "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts",
        "/etc/localtime", "/etc/alternatives", "/var/cache/fontconfig", "/dev/null", "/dev/zero", "/dev/random",
        "/dev/urandom", "/sys/devices/system", "/nix/store", "/gnu/store",
    ]

    /// What connections take: names of machines, and certificates.
    private static let forConnections = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf", "/etc/services",
        "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/run/systemd/resolve",
    ]

    package static func all(allowsNetwork: Bool) -> [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        func ofUser(_ variable: String, _ usual: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { "\($0)/\(usual)" }
        }
        let data = ofUser("XDG_DATA_HOME", ".local/share")
        let configuration = ofUser("XDG_CONFIG_HOME", ".config")
        let cache = ofUser("XDG_CACHE_HOME", ".cache")
        let own = [
            home.map { "\($0)/.fonts" }, data.map { "\($0)/fonts" }, configuration.map { "\($0)/fontconfig" },
            cache.map { "\($0)/fontconfig" }, configuration.map { "\($0)/avtool" },
        ].compactMap { $0 }
        let libraries = ["LD_LIBRARY_PATH", "LD_PRELOAD", "FONTCONFIG_FILE", "FONTCONFIG_PATH"].compactMap {
            environment[$0]
        }
        .flatMap { $0.split { ": ".contains($0) }.map(String.init) }.filter { $0.hasPrefix("/") }
        return usual + own + libraries + ownLibraries() + (allowsNetwork ? forConnections : [])
    }

    /// The folders of the libraries that this process has loaded, in which the worker finds its own.
    private static func ownLibraries() -> [String] {
        guard let maps = try? WholeFile.read("/proc/self/maps", limit: 1 << 22) else { return [] }
        let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return Set(paths.filter { $0.contains(".so") }.map(\.parentFolder)).filter { $0 != "/" }.sorted()
    }
}
