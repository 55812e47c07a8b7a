/**
 * The one command that makes this machine a provider on this network. It names the file in the clone, never a package: a registry
 * might have another one of that name. Whatever is typed stays one argument.
 */
export function nodeCommand({ name, price, rpc }: { name: string; price: string; rpc: string | undefined }): string {
  return [
    "node node/dist/main.js start",
    `--name ${quote(name || "my machine")}`,
    `--price ${quote(price)}`,
    `--rpc ${quote(rpc ?? "<RPC>")}`,
    "--deployment deployment.json",
  ].join(" ");
}

const quote = (text: string) => (/^[\w.:/<>-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
