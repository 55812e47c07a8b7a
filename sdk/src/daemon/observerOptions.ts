import type { ConfigTable } from "./config.ts";
import { parseUrl } from "./parsers.ts";

/** Where traces and errors are reported to: the same settings for every daemon. See {@link openObserver}. */
export const observerOptions = {
  otlp: {
    description: "OpenTelemetry collector for traces, OTLP over HTTP: http://host:4318/v1/traces",
    flag: "--otlp",
    value: "<url>",
    env: "GPUCHAIN_OTLP",
    optional: true,
    parse: parseUrl(["http", "https"]),
    secret: "url",
  },
  sentryDsn: {
    description: "Sentry project to which errors are reported",
    env: "GPUCHAIN_SENTRY_DSN",
    optional: true,
    secret: true,
    parse: parseUrl(["http", "https"]),
  },
} as const satisfies ConfigTable;
