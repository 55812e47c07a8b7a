export { createNodeJournal, type Earnings, type NodeJournal } from "./journal/nodeJournal.ts";
