import json,argparse,random
a=argparse.ArgumentParser(); a.add_argument('-k'); a.add_argument('-v'); a.add_argument('-l'); a.add_argument('-n',type=int,default=60); a.add_argument('-s',type=int,default=0); a.add_argument('-i'); a.add_argument('--save',default='/tmp/ev/fast.json')
a=a.parse_args(); rows=json.load(open(a.save))
rs=[x for x in rows if x['verdict'] not in('right','offered') and (not a.k or x['kind'] in a.k.split(',')) and (not a.v or x['verdict'] in a.v.split(',')) and (not a.l or x['lang']==a.l) and (not a.i or a.i in x['id'])]
random.Random(1).shuffle(rs); print(len(rs))
for x in rs[a.s:a.s+a.n]:
    if x['prev']: print('    ~',x['prev'][:100])
    print(f"{x['verdict']} {x['kind']} {x['id']}.{x['place']} {x['now'][:10]}: {x['say'][:200]}\n    -> {x['got'][:170]}\n    want {x['want'][:190]}")
