/** Hands text to the browser as a file. */
export function save(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Hands bytes to the browser as a file. */
export function saveBytes(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  saveBlob(name, new Blob([bytes], { type: "application/octet-stream" }));
}

function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
