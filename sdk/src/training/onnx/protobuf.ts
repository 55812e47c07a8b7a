/** Writes protobuf's wire format: fields in the order given, shortest varints, so equal input gives equal bytes. */
export class ProtoWriter {
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Appends raw bytes without a tag. */
  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this;
  }

  #varint(value: bigint): this {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    return this.raw(Uint8Array.from(bytes));
  }

  #tag(field: number, wireType: number): this {
    return this.#varint(BigInt((field << 3) | wireType));
  }

  /** A varint field (int64, enum); negative values take ten bytes, as protobuf wants. */
  int(field: number, value: number | bigint): this {
    return this.#tag(field, 0).#varint(BigInt(value));
  }

  /** A 32-bit float field. */
  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#tag(field, 5).raw(bytes);
  }

  /** A length-delimited field. */
  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, 2).#varint(BigInt(value.length)).raw(value);
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtoWriter): this {
    this.#tag(field, 2).#varint(BigInt(value.#length));
    for (const part of value.#parts) this.raw(part);
    return this;
  }

  finish(): Uint8Array {
    const joined = new Uint8Array(this.#length);
    let offset = 0;
    for (const part of this.#parts) {
      joined.set(part, offset);
      offset += part.length;
    }
    return joined;
  }
}
