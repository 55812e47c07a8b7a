import { spamWorkload } from "../workloads/spam.ts";
import * as t from "@gpuchain/sdk/training";
import { createNativeRuntime } from "@gpuchain/sdk/training/native";
const t0=performance.now();
const w = spamWorkload({steps:+(process.argv[2]??400), seed:+(process.argv[3]??1)});
console.log("workload ms", performance.now()-t0|0, "train bytes", w.train.length);
let t1=performance.now();
const program = t.createProgram(w.spec);
console.log("program ms", performance.now()-t1|0, "P", program.layout.size, w.spec.resources);
t1=performance.now();const s0=t.initialState(program);console.log("init ms",performance.now()-t1|0);
const data=t.decodeDataset(w.train);t.checkDataset(w.spec.model,data);
const held=t.decodeDataset(w.heldOut);
console.log("n",data.examples,held.examples, "spam share", held.columns.labels!.data.reduce((a:number,b:number)=>a+b,0)/held.examples);
const rt=createNativeRuntime({threads:2});
t1=performance.now();
const tr=await t.createTrainer({program,runtime:rt,data,state:s0});
console.log("session ms",performance.now()-t1|0);
const ev=await t.createEvaluator({program,runtime:rt});
const ts:number[]=[];let hs:number[]=[];
for(let i=0;i<w.spec.training.steps;i++){const a=performance.now();const r=await tr.step();ts.push(performance.now()-a);
 if(r.step%5===0){const b=performance.now();tr.traceLeaf();hs.push(performance.now()-b)}
 if(r.step%100===0){const b=performance.now();const e=await ev.evaluate(tr.state().params,held);console.log(r.step,r.loss.toFixed(4),"acc",e.accuracy?.toFixed(4),"bal",e.balancedAccuracy?.toFixed(4),"nll",e.nll.toFixed(4),"eval ms",performance.now()-b|0)}}
const med=(a:number[])=>a.toSorted((x,y)=>x-y)[a.length>>1];
console.log("step ms",med(ts)!.toFixed(1),"trace ms",med(hs)!.toFixed(1), "rss MB", process.memoryUsage().rss>>20, t.stateHash(program,tr.state()));
