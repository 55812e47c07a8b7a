// TypeScript of the documentation as files that can be compiled and run: snippets of the pages, and examples of the SDK's doc comments.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/root.ts";
import { allPages, blocksOf } from "./pages.ts";

/** Where they are written by default; ignored by git, inside the repository so that packages resolve. */
export const SNIPPETS = path.join(root, "script/dist/docs/snippets");

const ENTRIES = ["chain", "client", "records", "crypto", "gateway", "daemon", "blobs", "training", "compute"];

/** Names that examples may use without saying where they come from. */
const PRELUDE = `import { createPublicClient, createWalletClient, http, type LocalAccount } from "viem";
import type { Deployment, GpuchainClient, Sender } from "@gpuchain/sdk/chain";
import type { ClientContext } from "@gpuchain/sdk/client";
import type { Hex, JobSpec } from "@gpuchain/sdk/records";
declare const client: GpuchainClient;
declare const context: ClientContext;
declare const account: LocalAccount;
declare const deployment: Deployment;
declare const spec: JobSpec;
declare const blobs: Uint8Array[];
declare const heldOut: Uint8Array;
declare const train: Uint8Array;
declare const genesisHash: Hex;
declare const signal: AbortSignal;
declare const rpc: string;
declare const jobId: bigint;
declare const sender: Sender;
export const known = [createPublicClient, createWalletClient, http];
export type Known = [typeof client, typeof context, typeof account, typeof deployment, typeof spec, typeof blobs, typeof heldOut,
  typeof train, typeof genesisHash, typeof signal, typeof rpc, typeof jobId, typeof sender];
`;

/** An example of a doc comment. */
export interface Example {
  /** path in the repository, and the line of `@example` */
  file: string;
  line: number;
  code: string;
}

/** The examples in the doc comments of the SDK's rooms that a client uses. */
export function sdkExamples(folders = ["chain", "chain/actions", "client", "crypto"]): Example[] {
  return folders.flatMap((folder) => {
    const directory = path.join(root, "sdk/src", folder);
    const names = readdirSync(directory).filter((name) => /^[\w.]+\.ts$/.test(name) && !name.includes(".test."));
    return names.flatMap((name) =>
      examplesIn(`sdk/src/${folder}/${name}`, readFileSync(path.join(directory, name), "utf8")),
    );
  });
}

function examplesIn(file: string, source: string): Example[] {
  return [...source.matchAll(/^ \* @example\n((?: \*(?! @).*\n)*?)(?= \*\/| \* @)/gm)].map((match) => ({
    file,
    line: source.slice(0, match.index).split("\n").length,
    code: (match[1] ?? "").replaceAll(/^ \* ?/gm, "").trim(),
  }));
}

/** Functions of the client's room, and read actions, that are exported and whose comment shows no example. */
export function withoutExample(): string[] {
  const names = new Set(
    [...exportedNames()].filter(([, entry]) => ["chain", "client"].includes(entry)).map(([name]) => name),
  );
  return ["chain/actions", "client"].flatMap((folder) => {
    const directory = path.join(root, "sdk/src", folder);
    return readdirSync(directory)
      .filter((file) => file.endsWith(".ts") && !file.includes(".test."))
      .flatMap((file) => {
        const source = readFileSync(path.join(directory, file), "utf8");
        const functions = source.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?function\*? (\w+)/g);
        return [...functions]
          .filter(([, comment = "", name = ""]) => names.has(name) && !comment.includes("@example"))
          .map(([, , name]) => `${folder}/${file}: ${name}`);
      });
  });
}

/** Writes every snippet and example as a module. @returns path of each, and where it comes from */
export function writeSnippets(folder = SNIPPETS): Map<string, string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const written = new Map<string, string>();
  const write = (name: string, code: string, from: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, code);
    written.set(file, from);
  };
  for (const page of allPages()) {
    for (const { language, line, code, skip } of blocksOf(page)) {
      if (language !== "ts" || skip !== undefined) continue;
      write(`${page.replaceAll("/", "-")}-${line}.ts`, `${code}\nexport {};\n`, `${page}:${line}`);
    }
  }
  const exported = exportedNames();
  for (const { file, line, code } of sdkExamples()) {
    const declared = new Set([
      ...[...code.matchAll(/\b(?:const|let) (\w+)/g)].map(([, name]) => name),
      ...[...code.matchAll(/\bconst \{([^}]*)\}/g)].flatMap(([, list = ""]) =>
        list.split(",").map((one) => one.trim()),
      ),
    ]);
    const used = new Set([...code.matchAll(/\b[A-Za-z]\w*\b/g)].map(([name]) => name));
    const imports = [...exported]
      .filter(([name]) => used.has(name) && !declared.has(name))
      .map(([name, entry]) => `import { ${name} } from "@gpuchain/sdk/${entry}";`);
    const shadowed = PRELUDE.split("\n").filter((text) => !declared.has(/^declare const (\w+)/.exec(text)?.[1]));
    const prelude = shadowed.join("\n").replace(/export type Known[^;]*;\n/, "");
    const name = `${file.replaceAll("/", "-")}-${line}.ts`;
    write(name, `${imports.join("\n")}\n${prelude}\n${code}\n`, `${file}:${line}`);
  }
  writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: path.relative(folder, path.join(root, "tsconfig.base.json")),
      compilerOptions: { noEmit: true, composite: false, lib: ["ES2023", "DOM"], noUnusedLocals: false },
      include: ["*.ts"],
    }),
  );
  return written;
}

/** Values that the entry points export, with the first one that does. */
function exportedNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const entry of ENTRIES) {
    const text = readFileSync(path.join(root, `sdk/dist/${entry}/index.d.ts`), "utf8");
    for (const [, list = ""] of text.matchAll(/export \{([^}]*)\}/g)) {
      for (const part of list.split(",").map((one) => one.trim())) {
        if (/^\w+$/.test(part) && !names.has(part)) names.set(part, entry);
      }
    }
  }
  return names;
}
