"""Results of machine learning: AMLB."""

from format_samples import Sample

AMLB = """\
id,task,framework,constraint,fold,type,result,metric,mode,version,params,app_version,utc,duration,\
training_duration,predict_duration,models_count,seed,info,auc,logloss
openml.org/t/1,kc9,alpha,1h8c,0,binary,0.84,auc,local,1.0,,2.1,2026-01-02T10:00:00,601,600,1,9,7,,0.84,0.4
openml.org/t/1,kc9,alpha,1h8c,1,binary,0.86,auc,local,1.0,,2.1,2026-01-02T10:20:00,601,600,1,9,8,,0.86,0.4
openml.org/t/1,kc9,beta,1h8c,0,binary,0.80,auc,local,0.3,,2.1,2026-01-02T10:00:00,601,600,1,9,7,,0.80,0.5
openml.org/t/1,kc9,beta,1h8c,1,binary,0.82,auc,local,0.3,,2.1,2026-01-02T10:20:00,601,600,1,9,8,,0.82,0.5
openml.org/t/2,wine9,alpha,1h8c,0,multiclass,0.31,logloss,local,1.0,,2.1,2026-01-02T11:00:00,601,600,1,9,7,,,0.31
openml.org/t/2,wine9,alpha,1h8c,1,multiclass,0.33,logloss,local,1.0,,2.1,2026-01-02T11:20:00,601,600,1,9,8,,,0.33
openml.org/t/2,wine9,beta,1h8c,0,multiclass,0.42,logloss,local,0.3,,2.1,2026-01-02T11:00:00,601,600,1,9,7,,,0.42
openml.org/t/2,wine9,beta,1h8c,1,multiclass,0.40,logloss,local,0.3,,2.1,2026-01-02T11:20:00,601,600,1,9,8,,,0.40
"""
REPORT = """\
framework,task,fold,type,result,score,norm_score,acc,auc,logloss,duration,info,id,version
alpha,kc9,0,binary,0.84,0.84,1.1,0.8,0.84,,600,,openml.org/t/1,1.0
alpha,wine9,0,multiclass,0.41,-0.41,0.8,0.8,,0.41,600,,openml.org/t/2,1.0
beta,kc9,0,binary,0.85,0.85,1.2,0.8,0.85,,600,,openml.org/t/1,0.3
beta,wine9,0,multiclass,0.31,-0.31,1.0,0.8,,0.31,600,,openml.org/t/2,0.3
"""
SAMPLES = [
    Sample(format="amlb", name="results.csv", content=AMLB, winner="alpha", size=(2, 2),
           states=("better", "repeat", "combine")),
    Sample(format="amlb", name="all_results.csv", content=REPORT, winner="beta", size=(2, 2),
           states=("better",)),
]  # fmt: skip
