"""Results of machine learning: AMLB, OpenML, mlr3, scikit-learn, Optuna, MLflow, W&B."""

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
OPENML = """\
run_id,task_id,setup_id,flow_id,flow_name,data_id,data_name,function,upload_time,uploader,\
uploader_name,value,values,array_data
901,31,11,5,weka.Forest(1),44,credits,area_under_roc_curve,2026-01-01 00:00:00,1,ana,0.81,,
902,31,12,6,weka.Tree(2),44,credits,area_under_roc_curve,2026-01-01 00:01:00,1,ana,0.74,,
903,37,13,5,weka.Forest(1),45,houses,root_mean_squared_error,2026-01-01 00:02:00,1,ana,3.1,,
904,37,14,6,weka.Tree(2),45,houses,root_mean_squared_error,2026-01-01 00:03:00,1,ana,4.4,,
"""
MLR3 = """\
nr,task_id,learner_id,resampling_id,iteration,classif.ce
1,spam9,classif.ranger,cv,1,0.05
1,spam9,classif.ranger,cv,2,0.07
2,spam9,classif.rpart,cv,1,0.11
2,spam9,classif.rpart,cv,2,0.10
3,sonar9,classif.ranger,cv,1,0.15
3,sonar9,classif.ranger,cv,2,0.19
4,sonar9,classif.rpart,cv,1,0.30
4,sonar9,classif.rpart,cv,2,0.26
"""
SEARCH = """\
mean_fit_time,std_fit_time,mean_score_time,std_score_time,param_C,params,split0_test_score,\
split1_test_score,split2_test_score,mean_test_score,std_test_score,rank_test_score
0.01,0.001,0.002,0.0,0.1,{'C': 0.1},0.80,0.78,0.83,0.803,0.02,2
0.02,0.001,0.002,0.0,10.0,{'C': 10.0},0.86,0.81,0.84,0.837,0.02,1
"""
STUDY = """\
number,value,datetime_start,datetime_complete,duration,params_depth,state
0,0.71,2026-01-01 10:00:00,2026-01-01 10:01:00,0 days 00:01:00,3,COMPLETE
1,,2026-01-01 10:01:00,2026-01-01 10:02:00,0 days 00:01:00,12,PRUNED
2,0.78,2026-01-01 10:02:00,2026-01-01 10:03:00,0 days 00:01:00,6,COMPLETE
"""
MLFLOW = """\
run_id,experiment_id,status,artifact_uri,start_time,end_time,metrics.auc,metrics.f1,\
params.depth,tags.mlflow.runName,tags.mlflow.user
a1,0,FINISHED,file:///x/a1,2026-01-01 10:00:00,2026-01-01 10:01:00,0.81,0.70,3,shallow,ana
b2,0,FINISHED,file:///x/b2,2026-01-01 10:02:00,2026-01-01 10:03:00,0.86,0.74,9,deep,ana
"""
MLFLOW_PAGE = """\
Start Time,Duration,Run ID,Name,Source Type,Source Name,User,Status,auc,f1
2026-01-01 10:00:00,1.0min,a1,shallow,LOCAL,train.py,ana,FINISHED,0.81,0.70
2026-01-01 10:02:00,1.1min,b2,deep,LOCAL,train.py,ana,FINISHED,0.86,0.74
"""
WANDB = """\
"Name","State","Notes","User","Tags","Created","Runtime","Sweep","test/acc","test/f1"
"happy-sea-1","finished","-","ana","","2026-01-01T10:00:00.000Z","61","","0.81","0.70"
"dry-hill-2","finished","-","ana","","2026-01-01T10:05:00.000Z","66","","0.79","0.69"
"""
HIGHER = {"better": "higher"}
SAMPLES = [
    Sample(format="amlb", name="results.csv", content=AMLB, winner="alpha", size=(2, 2),
           states=("better", "repeat", "combine")),
    Sample(format="amlb", name="all_results.csv", content=REPORT, winner="beta", size=(2, 2),
           states=("better",)),
    Sample(format="openml", name="evaluations.csv", content=OPENML, winner="weka.Forest(1)",
           size=(2, 2), states=("better",)),
    Sample(format="mlr3", name="bmr.csv", content=MLR3, winner="classif.ranger", size=(2, 2),
           states=("better", "repeat", "score")),
    Sample(format="sklearn-search", name="cv_results.csv", content=SEARCH, winner="{'C': 10.0}",
           size=(2, 3), states=("better", "official")),
    Sample(format="optuna", name="trials.csv", content=STUDY, winner="2", options=HIGHER,
           size=(2, 1)),
    Sample(format="mlflow", name="runs.csv", content=MLFLOW, winner="deep", options=HIGHER,
           size=(2, 2)),
    Sample(format="mlflow", name="page.csv", content=MLFLOW_PAGE, winner="deep", options=HIGHER,
           size=(2, 2)),
    Sample(format="wandb", name="export.csv", content=WANDB, winner="happy-sea-1", options=HIGHER,
           size=(2, 2)),
]  # fmt: skip
