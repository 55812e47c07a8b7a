import { createContext, useContext } from "react";
import { OFFLINE, type SiteConfig } from "./config.ts";

export const ConfigContext = createContext<SiteConfig>(OFFLINE);
export const useConfig = (): SiteConfig => useContext(ConfigContext);
