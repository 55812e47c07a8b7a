/** The path of the Foundry binary that npm installed for this platform. @throws Error when there is none */
export function forgeBinary(): string;
/** The same for any of its tools. */
export function foundryBinary(tool: "forge" | "anvil" | "cast"): string;
