/** A tensor in host memory. `data` is used as it stands: no copy is made of it, in or out, where the runtime allows. */
export type HostTensor =
  | { readonly dtype: "float32"; readonly shape: readonly number[]; readonly data: Float32Array }
  | { readonly dtype: "int32"; readonly shape: readonly number[]; readonly data: Int32Array };

export type Feeds = Readonly<Record<string, HostTensor>>;

/** A graph compiled by a runtime. */
export interface Session {
  /**
   * Runs the graph once.
   *
   * @param feeds every input of the graph, by name
   * @param into outputs to be written into the given arrays; the others are allocated
   * @throws TrainingError `OUT_OF_MEMORY` (retry with a smaller graph) or `RUNTIME_FAILED`
   */
  run(feeds: Feeds, into?: Feeds): Promise<Record<string, HostTensor>>;
  release(): Promise<void>;
}

/** A tensor in a device's memory, which only the runtime that made it can read. */
export interface DeviceTensor {
  readonly dtype: HostTensor["dtype"];
  readonly shape: readonly number[];
  readonly handle: unknown;
  dispose(): void;
}

/** A compiled graph, some of whose outputs stay on the device. */
export interface ResidentSession {
  run(feeds: Readonly<Record<string, HostTensor | DeviceTensor>>): Promise<{
    readonly resident: Readonly<Record<string, DeviceTensor>>;
    readonly host: Readonly<Record<string, HostTensor>>;
  }>;
  release(): Promise<void>;
}

/** A runtime that keeps tensors on its device between runs. */
export interface ResidentRuntime {
  /** @param resident outputs that stay on the device; the others come to the host */
  createResidentSession(graph: Uint8Array, resident: readonly string[]): Promise<ResidentSession>;
}

/**
 * Something that runs graphs. The training program knows no more of a device than this; `native`, `wasm`, `webgpu` and `cuda` each
 * have a file of their own, the only ones that touch ONNX Runtime.
 */
export interface Runtime {
  /** `native`, `wasm`, `webgpu`, `cuda` */
  readonly name: string;
  /** what it runs on, for people */
  readonly device: string;
  readonly threads: number;
  /** @throws TrainingError `BAD_GRAPH`, `OUT_OF_MEMORY` or `RUNTIME_FAILED` */
  createSession(graph: Uint8Array): Promise<Session>;
  /** where states should stay on the device between steps */
  readonly resident?: ResidentRuntime;
}
