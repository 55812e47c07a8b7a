export { type Backoff, type BackoffOptions, backoff, type RetryOptions, retry } from "./backoff.ts";
export {
  type ConfigField,
  type ConfigSources,
  type ConfigTable,
  type ConfigValues,
  camelCase,
  defineConfig,
  loadConfig,
  redactConfig,
} from "./config.ts";
export { addConfigFlags, describeConfig } from "./describeConfig.ts";
export { GpuchainError, type GpuchainErrorOptions, isGpuchainError, toGpuchainError } from "./errors.ts";
export { exitCodeFor, exitWith, formatError } from "./exit.ts";
export { createJournalIntentStore } from "./intentStore.ts";
export { type Journal, type JournalRow, type JournalValue, openJournal } from "./journal.ts";
export { createLogger, type Logger, type LoggerOptions, type LogLevel } from "./logger.ts";
export { type Observer, type ObserverSettings, openObserver, type SpanFields } from "./observer.ts";
export { observerOptions } from "./observerOptions.ts";
export {
  formatUsdc,
  parseAddressText,
  parseBoolean,
  parseChoice,
  parseInteger,
  parseListen,
  parseNumber,
  parseText,
  parseUrl,
  parseUsdc,
} from "./parsers.ts";
export { redactUrl, redactUrlsIn } from "./redact.ts";
export { createShutdown, type Shutdown, type ShutdownOptions } from "./shutdown.ts";
export { abortable, sleep, untilAborted } from "./sleep.ts";
