"""fast.py FILES [--every N --off K] [--save F]: engine's decisions on ideal contexts, scored roughly."""
import sys,os,json,time,argparse,copy; sys.path.insert(0,os.getcwd())
from pathlib import Path
from collections import Counter
from evals.conversations.reading import load_conversations
from evals.conversations.titles import same_form
from training.written import each_turn
from domains.loading import load_domain
from engine.decider import RuleDecider
def shown(call,store,now):
    p=call.parameters; ts=list(store)
    f=p.get('filter')
    if f=='pending': ts=[t for t in ts if t['status']=='pending']
    if f=='completed': ts=[t for t in ts if t['status']=='completed']
    if f=='overdue': ts=[t for t in ts if t['status']=='pending' and t['due_date'] and (t['due_date']<now.isoformat()[:len(t['due_date'])])]
    if p.get('priority'): ts=[t for t in ts if t['priority']==p['priority']]
    d=p.get('due')
    if d:
        from datetime import timedelta
        day=now.date()
        rng={'today':(day,day),'tomorrow':(day+timedelta(1),)*2,'this_week':(day-timedelta(day.weekday()),day+timedelta(6-day.weekday()))}
        if d in rng: a,b=rng[d]; a,b=a.isoformat(),b.isoformat()
        elif d=='none': ts=[t for t in ts if not t['due_date']]; d=None
        elif '/' in str(d): a,b=str(d).split('/')[:2]
        else: a=b=str(d)[:10]
        ts=[t for t in ts if t['due_date'] and a<=t['due_date'][:10]<=b] if d else ts
    s=p.get('search')
    if s:
        from engine.text.folding import split_words
        w=split_words(str(s)); ts=[t for t in ts if all(any(x.startswith(y[:max(3,len(y)-2)]) for x in split_words(t['title']+' '+t['description'])) for y in w)]
    o=int(p.get('offset') or 0); l=p.get('limit')
    ts=sorted(ts,key=lambda t:(t['due_date'] or '9999'))
    return [t['id'] for t in ts[o:][:int(l) if l else None]]
def run_calls(calls,store,now):
    """-> added list, set dict id->fields, deleted ids, shown ids|None"""
    added=[];sets={};dele=[];sh=None
    for c in calls:
        p=dict(c.parameters)
        if c.tool_name=='add_task': added.append(p)
        elif c.tool_name=='list_tasks': sh=(sh or [])+shown(c,store,now)
        elif c.tool_name=='complete_task': sets.setdefault(p.get('task_identifier'),{})['status']='completed'
        elif c.tool_name=='delete_task': dele.append(p.get('task_identifier'))
        elif c.tool_name=='update_task':
            i=p.pop('task_identifier',None); f=sets.setdefault(i,{})
            for k,v in p.items(): f[k.replace('new_','')]=(None if v=='none' and k.endswith('due_date') else v)
    return added,sets,dele,sh
def nd(x): return None if not x else str(x)[:16]
def match(o,got,S,lang,asked_delete,told,is_nothing,undo,kind):
    added,sets,dele,sh=got
    byid={t['id']:t for t in S.tasks}
    # net effect
    sets={i:{k:v for k,v in f.items() if i in byid and (nd(v)!=nd(byid[i][k]) if k=='due_date' else str(v or '')!=str(byid[i][k] or ''))} for i,f in sets.items()}
    sets={i:f for i,f in sets.items() if f}
    if undo: return kind=='undo'
    ids=lambda tt:[t['id'] for t in S.tasks if S._is(t,tt)]
    # adds
    if len(added)!=len(o.add): return False
    left=list(added)
    for a in o.add:
        forms={same_form(x,lang) for x in a.title}
        hit=next((x for x in left if same_form(str(x.get('title','')),lang) in forms),None)
        if hit is None: return False
        left.remove(hit); f=a.fields
        if 'due_date' in f and nd(hit.get('due_date'))!=nd(f['due_date']): return False
        if 'priority' in f and (hit.get('priority') or 'medium')!=f['priority']: return False
        if f.get('description') and f['description'].lower()[:12] not in str(hit.get('description') or '').lower(): return False
    want={}
    for c in o.set:
        i=next((x for x in ids(c.task)),None)
        if i is None: return False
        want[i]={k:v for k,v in c.fields.items()}
    if set(sets)-set(want): return False
    for i,f in want.items():
        g={**byid[i],**sets.get(i,{})}
        for k,v in f.items():
            if k=='title':
                if same_form(str(g['title']),lang) not in {same_form(x,lang) for x in v}: return False
            elif k=='due_date':
                if nd(g[k])!=nd(v): return False
            elif k=='description':
                if (v or '').lower().strip(' .')[:60]!=str(g[k] or '').lower().strip(' .')[:60] and (v or '').lower().strip(' .') not in str(g[k] or '').lower(): return False
            elif g[k]!=v: return False
        for k in sets.get(i,{}):
            if k not in f: return False
    wd={x for tt in o.delete for x in ids(tt)[:1]}
    if set(dele)!=wd: return False
    wa={x for tt in o.ask_delete for x in ids(tt)[:1]}
    if wa and asked_delete!=wa: return False
    if o.show is not None:
        if sh is None: return False
        if set(sh)!={x for tt in o.show for x in ids(tt)[:1]}: return False
    for w in o.tell:
        if not any(x.lower() in told.lower() for x in w): return False
    if o.nothing and (not is_nothing): return False
    if o.ask and is_nothing: return False
    return True
def score(st,dec):
    S=st.store; lang=st.conversation.lang; now=st.context.now; k=st.turn.kind
    pend=dec.pending
    nothing=dec.action=='reply' or (not dec.calls and not pend and dec.act not in('undo','redo'))
    asked=set()
    if pend and pend.call.tool_name=='delete_task':
        asked={pend.call.parameters.get('task_identifier')}|{c.parameters.get('task_identifier') for c in pend.then if c.tool_name=='delete_task'}
    executed=dec.calls if dec.action=='execute' else ()
    got=run_calls(executed,S.tasks,now)
    told=dec.message+' '+' '.join(s.text for s in dec.sentences)
    if got[3]: told+=' '.join(f"{t['title']} {t['description']} {t['due_date']} {t['priority']}" for t in S.tasks if t['id'] in got[3])+f' {len(got[3])}'
    undo=dec.act in('undo','redo') and dec.action=='execute' and not executed
    onlyask=bool(pend) and not executed
    for o in st.turn.expect.outcomes:
        if match(o,got,S,lang,asked,told,nothing,undo,k) and not (onlyask and (o.show is not None or o.nothing)): return 'right'
    if pend and not executed or pend:
        opts=[]
        if pend.kind=='confirm': opts=[(pend.call,*pend.then)]
        elif pend.options:
            from dataclasses import replace
            from engine.values import Argument,Provenance
            opts=[(replace(pend.call,arguments=(*[a for a in pend.call.arguments if a.name!=pend.parameter],Argument(pend.parameter,i,Provenance('words')))),*pend.then) for i in pend.options]
        for op in opts:
            g=run_calls((*executed,*op),S.tasks,now)
            for o in st.turn.expect.outcomes:
                if (o.add or o.set or o.delete) and match(o,g,S,lang,set(),told,False,False,k): return 'offered'
                if o.show is not None and match(o,g,S,lang,set(),told,False,False,k): return 'offlist'
        ch=bool(got[0] or got[1] or got[2])
        if not ch: return 'nuisance' if any(o.nothing for o in st.turn.expect.outcomes) else 'asked'
    ch=bool(got[0] or got[1] or got[2]) or undo
    if ch: return 'unsafe' if any(o.nothing for o in st.turn.expect.outcomes) else 'wrong'
    if nothing: return 'missed'
    return 'nuisance' if any(o.nothing for o in st.turn.expect.outcomes) else 'told'
def brief(dec):
    f=lambda c:f"{c.tool_name}({', '.join(f'{k}={v!r}' for k,v in c.parameters.items())})"
    s='; '.join(map(f,dec.calls))
    if dec.pending: s+=' ?'+f(dec.pending.call)+(' then '+'; '.join(map(f,dec.pending.then)) if dec.pending.then else '')
    return f"[{dec.action}/{dec.act} {dec.confidence:.2f}] "+(s or dec.message[:70])
if __name__=='__main__':
    a=argparse.ArgumentParser(); a.add_argument('files',nargs='+'); a.add_argument('--every',type=int,default=1); a.add_argument('--off',type=int,default=0); a.add_argument('--save',default='/tmp/ev/fast.json'); a.add_argument('--against',default='')
    a=a.parse_args(); d=load_domain(); dec=RuleDecider(d); rows=[]; t=time.process_time()
    for f in a.files:
        for c in list(load_conversations([Path(f)]))[a.off::a.every]:
            prev=''
            for st in each_turn(c,d):
                try: r=dec.decide(st.turn.say,st.context); v=score(st,r); b=brief(r)
                except Exception as e:
                    import traceback; v='crash'; b=repr(e)+traceback.format_exc()[-300:]
                o=st.turn.expect.outcomes[0]
                rows.append(dict(id=c.id,file=Path(f).stem,lang=c.lang,place=st.place,now=c.now,say=st.turn.say,kind=st.turn.kind,verdict=v,got=b,want=str({k:x for k,x in o.model_dump(exclude_unset=True).items() if k!='or'})[:260],prev=prev,titles=[t['title'] for t in st.store.tasks]))
                prev=st.turn.say
    json.dump(rows,open(a.save,'w'),ensure_ascii=False)
    R=('right','offered')
    def line(name,rs):
        c=Counter(x['verdict'] for x in rs); n=len(rs)
        print(f"{name:12}{n:5} {sum(x['verdict'] in R for x in rs)/max(n,1):.3f} {dict(c.most_common())}")
    line('all',rows)
    for l in ('en','it'): line(l,[x for x in rows if x['lang']==l])
    for k in sorted({x['kind'] for x in rows}): line(k,[x for x in rows if x['kind']==k])
    print('cpu',round(time.process_time()-t),'s')
    if a.against:
        old={(x['id'],x['place']):x for x in json.load(open(a.against))}
        fx=[x for x in rows if (o:=old.get((x['id'],x['place']))) and (o['verdict'] in R)!=(x['verdict'] in R)]
        print('fixed',sum(x['verdict'] in R for x in fx),'broken',sum(x['verdict'] not in R for x in fx))
        for x in fx:
            if x['verdict'] not in R: print('  BROKE',x['id'],x['place'],x['say'][:90],'->',x['got'][:110],'| was',old[(x['id'],x['place'])]['got'][:80])
