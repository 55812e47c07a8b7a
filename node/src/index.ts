export { type Earnings, type NodeJournal, createNodeJournal } from "./journal/nodeJournal.ts";
