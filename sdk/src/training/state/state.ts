/** A run between two steps: flat float32 vectors in the program's layout. */
export interface TrainingState {
  /** steps done; 0 is genesis */
  readonly step: number;
  readonly params: Float32Array;
  /** first moment of AdamW */
  readonly m: Float32Array;
  /** second moment */
  readonly v: Float32Array;
}

/** An independent copy. */
export const copyState = ({ step, params, m, v }: TrainingState): TrainingState => ({
  step,
  params: params.slice(),
  m: m.slice(),
  v: v.slice(),
});
