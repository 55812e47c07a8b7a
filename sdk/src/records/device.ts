import { z } from "zod";

const deviceSchema = z.object({
  /** what trains */
  kind: z.enum(["cpu", "gpu"]),
  /** the processor's or the card's name */
  model: z.string(),
  /** the machine's processor cores and main memory */
  cores: z.number().int().nonnegative(),
  memoryMb: z.number().int().nonnegative(),
  runtime: z.string(),
  threads: z.number().int().nonnegative(),
});

/** What a provider says of its machine when it registers: self-reported, for clients to choose by. */
export type Device = z.infer<typeof deviceSchema>;

/** The metadata of a provider's registration. */
export const encodeDevice = (device: Device): string => JSON.stringify(deviceSchema.parse(device));

/** What registered metadata say of the device; undefined where they say none: anybody may register anything. */
export function parseDevice(metadata: string): Device | undefined {
  try {
    return deviceSchema.safeParse(JSON.parse(metadata)).data;
  } catch {
    return undefined;
  }
}
