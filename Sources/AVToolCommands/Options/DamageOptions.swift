package import ArgumentParser

/// A command that can make do with damage.
package protocol DamageTolerating {
    static var damageHelp: ArgumentHelp { get }
}

/// Whether a command makes do with damage.
package struct DamageOptions<Command: DamageTolerating>: ParsableArguments {
    @Flag(help: Command.damageHelp)
    package var allowDamaged = false

    package init() {}
}
